import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import type { UploadedFile } from '../../../ui/file-drop.tsx';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { useReplaceReceipt } from '../api.ts';
import { ReceiptField } from './receipt-field.tsx';

interface Values {
  files: readonly UploadedFile[];
}

const check = (values: Values): Checked<Values> =>
  values.files.length === 0
    ? { ok: false, problems: [{ path: ['files'], message: 'field.required' }] }
    : { ok: true, values };

/** Another file in the place of a receipt, which stays until the new one is there. */
export function ReplaceReceipt({ id, onDone, onBack }: { id: string; onDone: () => void; onBack: () => void }) {
  const t = useText();
  const replace = useReplaceReceipt();
  const [next] = useState(() => newId());
  const [uploading, setUploading] = useState(false);
  const fields = useFields<Values, Values>({ check, defaults: { files: [] } });
  return (
    <Form
      fields={fields}
      label={t('cards.receipt.replace')}
      onSubmit={async ({ files }) => {
        try {
          await replace.mutateAsync({ body: { id, newId: next, fileId: files[0]?.id ?? '' } });
        } catch (error) {
          if (error instanceof ApiError) reportError(error);
          throw error;
        }
        toast('success', t('cards.receipt.replaced'));
        onDone();
      }}
    >
      <ReceiptField onUploading={setUploading} {...fields.value('files')} />
      <FormFoot submitText={t('cards.receipt.replace')} busy={fields.submitting || uploading} onCancel={onBack} />
    </Form>
  );
}
