import { downloadFile } from 'virtual:calls/files';
import type { StoredFile } from '@causeway/contract/files.ts';
import { useState } from 'react';
import { download, fetchBlob } from '../../../lib/download.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { FilePreview } from '../../../ui/file-preview.tsx';
import { Icon } from '../../../ui/icon.tsx';

/** The papers of an application, to be looked at before a decision. */
export function TaskAttachments({ attachments }: { attachments: readonly StoredFile[] }) {
  const t = useText();
  const formats = useFormats();
  const [shown, setShown] = useState<StoredFile | null>(null);
  if (attachments.length === 0) return null;
  return (
    <section className="flex flex-col gap-3">
      <h3 className="m-0 text-14 font-semibold">{t('approvals.panel.attachments')}</h3>
      <ul className="m-0 flex list-none flex-col gap-1 p-0">
        {attachments.map((file) => (
          <li key={file.id} className="flex items-center gap-2 rounded-6 bg-sunken py-1 pr-1 pl-2.5 text-13">
            <Icon name="file" className="shrink-0 text-faint" />
            <span className="min-w-0 flex-1 truncate">{file.name}</span>
            <span className="figures text-12 text-faint">{formats.bytes(file.sizeBytes)}</span>
            <Button kind="quiet" size="small" opensFile onClick={() => setShown(file)}>
              {t('approvals.preview')}
              <span className="sr-only"> {file.name}</span>
            </Button>
          </li>
        ))}
      </ul>
      {shown !== null && <Preview file={shown} onClose={() => setShown(null)} />}
    </section>
  );
}

function Preview({ file: { id, name, type }, onClose }: { file: StoredFile; onClose: () => void }) {
  const t = useText();
  return (
    <FilePreview
      name={name}
      type={type}
      load={() => fetchBlob(downloadFile, { params: { id } })}
      actions={
        <Button
          icon="download"
          onClick={() => void download(downloadFile, { params: { id } }, name).catch(reportFailure)}
        >
          {t('approvals.download')}
        </Button>
      }
      onClose={onClose}
    />
  );
}
