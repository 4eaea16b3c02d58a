import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { cardNoteMaxLength } from '@causeway/contract/cards-rules.ts';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Form } from '../../../ui/form.tsx';
import { FormFoot } from '../../../ui/form-foot.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useWaive } from '../api.ts';

interface Values {
  note: string;
}

const check = (values: Values): Checked<Values> =>
  values.note.trim() === ''
    ? { ok: false, problems: [{ path: ['note'], message: 'field.required' }] }
    : { ok: true, values };

/** Says that a payment has no receipt, and why. */
export function WaiveForm({
  payment,
  onDone,
  onBack,
}: {
  payment: CardPayment;
  onDone: () => void;
  onBack: () => void;
}) {
  const t = useText();
  const waive = useWaive();
  const fields = useFields<Values, Values>({ check, defaults: { note: '' } });
  return (
    <Form
      fields={fields}
      label={t('cards.receipt.waive')}
      onSubmit={async ({ note }) => {
        try {
          await waive.mutateAsync({ body: { paymentId: payment.id, note: note.trim() } });
        } catch (error) {
          if (error instanceof ApiError) reportError(error);
          throw error;
        }
        toast('success', t('cards.receipt.waivedNow'));
        onDone();
      }}
    >
      <TextField label={t('cards.receipt.waiveWhy')} maxLength={cardNoteMaxLength} {...fields.text('note')} />
      <FormFoot submitText={t('cards.receipt.waive')} busy={fields.submitting} onCancel={onBack} />
    </Form>
  );
}
