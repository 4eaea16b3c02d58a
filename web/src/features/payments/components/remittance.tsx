import { useText } from '../../../lib/locale.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import type { PaymentForm } from './use-payment-form.ts';

/** What the payee reads: how much of it the way carries, and how it will be printed. */
export function Remittance({ form: { fields, outlook }, maxLength }: { form: PaymentForm; maxLength: number }) {
  const t = useText();
  const bound = fields.text('remittance');
  const { most, printed, isReference } = outlook?.remittance ?? { most: maxLength, printed: null, isReference: false };
  const text = bound.value.trim();
  const shown = text === '' ? null : printed;
  const count = [...(shown === null || isReference ? text : shown.text)].length;
  const isOver = !isReference && count > most;
  return (
    <div className="flex flex-col gap-1.5">
      <TextArea
        label={t('payments.form.remittance')}
        optional
        rows={2}
        maxLength={maxLength}
        aside={
          <span className={isOver ? 'figures text-negative' : 'figures'}>
            {t('payments.form.remittanceCount', { count, most })}
          </span>
        }
        hint={t('payments.form.remittanceHint')}
        {...bound}
        error={bound.error ?? (isOver ? t('payments.form.remittanceLong', { most }) : undefined)}
      />
      <div aria-live="polite" className="flex flex-col gap-1 text-13 empty:hidden">
        {shown !== null && isReference && <p className="m-0 text-muted">{t('payments.form.remittanceReference')}</p>}
        {shown !== null && (shown.text !== text || isReference) && (
          <p className="m-0 break-words text-muted">{t('payments.form.printed', { text: shown.text })}</p>
        )}
        {shown !== null && shown.lost.length > 0 && (
          <p className="m-0 text-negative">{t('payments.form.lost', { lost: shown.lost.join(' ') })}</p>
        )}
      </div>
    </div>
  );
}
