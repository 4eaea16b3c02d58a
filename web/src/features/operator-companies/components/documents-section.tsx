import { listCompanyDocuments } from 'virtual:calls/operator-companies';
import { fileTypes, maxAttachments, maxFileBytes } from '@causeway/contract/files-rules.ts';
import { type DocumentKind, documentKinds } from '@causeway/contract/operator-companies-rules.ts';
import { useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { FileDrop } from '../../../ui/file-drop.tsx';
import { useFieldTexts } from '../../../ui/form-state.ts';
import { defineHistory, History } from '../../../ui/history.tsx';
import { SelectField } from '../../../ui/select-field.tsx';
import { Time } from '../../../ui/time.tsx';
import { addDocument, type CompanyFile, fetchDocument } from '../api.ts';

const documents = defineHistory({
  call: listCompanyDocuments,
  rowId: ({ id }) => id,
  empty: { icon: 'file', title: 'ops.companies.documentsEmpty', text: 'ops.companies.documentsEmptyText' },
});

const rules = { types: fileTypes, largest_bytes: maxFileBytes, most: maxAttachments };

/** Papers about the company, for those who admit companies and for compliance. They stay; each download is logged. */
export function DocumentsSection({ company: { id } }: { company: CompanyFile }) {
  return (
    <div className="flex flex-col gap-6">
      <AddDocuments companyId={id} />
      <Card>
        <History history={documents} params={{ id }}>
          {(document) => <DocumentRow document={document} />}
        </History>
      </Card>
    </div>
  );
}

function AddDocuments({ companyId }: { companyId: string }) {
  const t = useText();
  const [kind, setKind] = useState<DocumentKind | ''>('');
  useFieldTexts();
  return (
    <Card title={t('ops.companies.addDocument')}>
      <div className="flex flex-col gap-4">
        <SelectField<DocumentKind>
          label={t('ops.companies.field.documentKind')}
          hint={t('ops.companies.documentKindHint')}
          options={documentKinds.map((value) => ({ value, label: t(`ops.companies.document.${value}`) }))}
          value={kind}
          onChange={setKind}
        />
        {kind !== '' && (
          <FileDrop
            label={t('ops.companies.field.files')}
            // What was sent is in the list beneath.
            value={[]}
            onChange={() => undefined}
            rules={rules}
            onUpload={async (file, options) => {
              const stored = await addDocument(companyId, kind, file, options);
              toast('success', t('ops.companies.documentAdded', { name: stored.name }));
              return stored;
            }}
          />
        )}
      </div>
    </Card>
  );
}

interface DocumentRowProps {
  document: {
    id: string;
    kind: DocumentKind;
    name: string;
    sizeBytes: number;
    at: string;
    by: { name: string };
  };
}

function DocumentRow({ document: { id, kind, name, sizeBytes, at, by } }: DocumentRowProps) {
  const t = useText();
  const formats = useFormats();
  const [busy, setBusy] = useState(false);
  const start = async () => {
    setBusy(true);
    await fetchDocument(id, name).catch(reportError);
    setBusy(false);
  };
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
      <div className="flex min-w-0 flex-col gap-0.5">
        <span className="font-medium wrap-anywhere">{name}</span>
        <span className="text-13 text-faint">
          {t(`ops.companies.document.${kind}`)} · <span className="figures">{formats.bytes(sizeBytes)}</span> ·{' '}
          {by.name} · <Time at={at} />
        </span>
      </div>
      <Button
        size="small"
        icon="download"
        busy={busy}
        aria-label={t('ops.companies.downloadOf', { name })}
        onClick={() => void start()}
      >
        {t('ops.companies.download')}
      </Button>
    </div>
  );
}
