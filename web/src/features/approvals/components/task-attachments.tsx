import { downloadFile } from 'virtual:calls/files';
import type { StoredFile } from '@causeway/contract/files.ts';
import { useEffect, useState } from 'react';
import { download, fetchBlob } from '../../../lib/download.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportFailure } from '../../../lib/report-error.ts';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';

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

function Preview({ file, onClose }: { file: StoredFile; onClose: () => void }) {
  const t = useText();
  const { url, error, retry } = useFileUrl(file);
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={file.name}
      wide
      actions={
        <Button
          icon="download"
          onClick={() => void download(downloadFile, { params: { id: file.id } }, file.name).catch(reportFailure)}
        >
          {t('approvals.download')}
        </Button>
      }
    >
      {error === null ? (
        <Loading loading={url === null} skeleton={<Skeleton height="h-96" />}>
          {url !== null &&
            (file.type === 'application/pdf' ? (
              <iframe src={url} title={file.name} className="h-[65vh] w-full rounded-6 border border-line" />
            ) : (
              <img src={url} alt={file.name} className="mx-auto max-h-[65vh] max-w-full rounded-6" />
            ))}
        </Loading>
      ) : (
        <ErrorState error={error} onRetry={retry} />
      )}
    </Dialog>
  );
}

/** Fetches the file with the session's header, and keeps it under an address of this page's own while it is shown. */
function useFileUrl({ id, type }: StoredFile): { url: string | null; error: unknown; retry: () => void } {
  const [state, setState] = useState<{ url: string | null; error: unknown }>({ url: null, error: null });
  const [turn, setTurn] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new turn tries again
  useEffect(() => {
    let url: string | null = null;
    let gone = false;
    setState({ url: null, error: null });
    fetchBlob(downloadFile, { params: { id } }).then(
      (blob) => {
        if (gone) return;
        url = URL.createObjectURL(new Blob([blob], { type }));
        setState({ url, error: null });
      },
      (error: unknown) => !gone && setState({ url: null, error }),
    );
    return () => {
      gone = true;
      if (url !== null) URL.revokeObjectURL(url);
    };
  }, [id, type, turn]);
  return { ...state, retry: () => setTurn((before) => before + 1) };
}
