import type { CardPayment } from '@causeway/contract/cards-payments.ts';
import { useState } from 'react';
import { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { newId } from '../../../lib/new-id.ts';
import { reportError } from '../../../lib/report-error.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Field } from '../../../ui/field.tsx';
import type { UploadedFile } from '../../../ui/file-drop.tsx';
import { Form } from '../../../ui/form.tsx';
import { type Checked, useFields } from '../../../ui/form-state.ts';
import { TextField } from '../../../ui/text-field.tsx';
import { useAddReceipt } from '../api.ts';
import { ReceiptField } from './receipt-field.tsx';

interface Values {
  files: readonly UploadedFile[];
  amount: string;
  date: string;
  merchant: string;
  /** Of the candidates, where the receipt fits several. */
  paymentId: string;
}

const empty: Values = { files: [], amount: '', date: '', merchant: '', paymentId: '' };

function check(values: Values): Checked<Values> {
  if (values.files.length === 0) return { ok: false, problems: [{ path: ['files'], message: 'field.required' }] };
  if (values.amount !== '' && !/^\d{1,15}(\.\d{1,18})?$/.test(values.amount.trim()))
    return { ok: false, problems: [{ path: ['amount'], message: 'field.invalid' }] };
  return { ok: true, values };
}

/** Adds a receipt: to the payment given, or to the one that fits what it says. On a phone the file can be a photo taken at once. */
export function ReceiptForm({ payment, onDone }: { payment: CardPayment | null; onDone: () => void }) {
  const t = useText();
  const add = useAddReceipt();
  const [id] = useState(() => newId());
  const [uploading, setUploading] = useState(false);
  const [candidates, setCandidates] = useState<readonly CardPayment[] | null>(null);
  const fields = useFields<Values, Values>({ check, defaults: empty });

  async function submit({ files, amount, date, merchant, paymentId }: Values): Promise<void> {
    try {
      const answer = await add.mutateAsync({
        body: {
          id,
          fileId: files[0]?.id ?? '',
          paymentId: payment?.id ?? (paymentId === '' ? null : paymentId),
          amount: amount.trim() === '' ? null : amount.trim(),
          date: date === '' ? null : date,
          merchant: merchant.trim(),
        },
      });
      if (answer.paymentId === null) {
        setCandidates(answer.candidates);
        return;
      }
      toast('success', t('cards.receipt.added'));
      onDone();
    } catch (error) {
      if (error instanceof ApiError) reportError(error);
      throw error;
    }
  }

  return (
    <Form fields={fields} onSubmit={submit} label={t('cards.receipt.add')} goesOn>
      <ReceiptField onUploading={setUploading} {...fields.value('files')} />
      {payment === null && (
        <>
          <p className="m-0 text-13 text-muted">{t('cards.receipt.matchHint')}</p>
          <div className="grid gap-4 sm:grid-cols-2">
            <TextField label={t('cards.field.amount')} optional inputMode="decimal" {...fields.text('amount')} />
            <TextField type="date" label={t('cards.receipt.date')} optional {...fields.text('date')} />
          </div>
          <TextField label={t('cards.field.merchant')} optional maxLength={200} {...fields.text('merchant')} />
        </>
      )}
      {candidates !== null && (
        <Candidates
          candidates={candidates}
          value={fields.values.paymentId}
          onChange={(next) => fields.set('paymentId', next)}
        />
      )}
      <div className="flex justify-end">
        <Button type="submit" kind="primary" busy={fields.submitting} disabled={uploading}>
          {t('cards.receipt.add')}
        </Button>
      </div>
    </Form>
  );
}

interface CandidatesProps {
  candidates: readonly CardPayment[];
  value: string;
  onChange: (id: string) => void;
}

/** Payments that a receipt may belong to, where it does not say which. */
function Candidates({ candidates, value, onChange }: CandidatesProps) {
  const t = useText();
  if (candidates.length === 0)
    return (
      <p role="status" className="m-0 text-13">
        {t('cards.receipt.noneFits')}
      </p>
    );
  return (
    <Field label={t('cards.receipt.which')} group>
      {() => (
        <div className="flex flex-col gap-2">
          {candidates.map(({ id, merchant, amount, asset, at }) => (
            <label key={id} className="flex items-start gap-2.5 text-14">
              <input
                type="radio"
                name="paymentId"
                value={id}
                checked={value === id}
                onChange={() => onChange(id)}
                className="mt-0.5 size-4 shrink-0 accent-accent"
              />
              <span className="min-w-0">
                {merchant}
                <span className="figures block text-12 text-faint">
                  {amount} {asset} · {at.slice(0, 10)}
                </span>
              </span>
            </label>
          ))}
        </div>
      )}
    </Field>
  );
}
