import { otcTextMaxLength } from '@causeway/contract/otc-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { Banner } from '../../../ui/states.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { type Request, useCounter } from '../api.ts';
import { type CounterValues, checkCounter } from '../values.ts';

/** Asks the desk for another price: a rate, or the amount of the other side; the quote that was open ends with it. */
export function CounterDialog({ request, onClose }: { request: Request; onClose: () => void }) {
  const t = useText();
  const counter = useCounter();
  const { id, version, sell, buy, fixed } = request;
  const other = fixed === 'sell' ? buy : sell;
  const fields = useFields<CounterValues, CounterValues>({
    check: checkCounter,
    defaults: { by: 'rate', rate: '', wanted: '', text: '' },
  });
  const title = t('otc.counter.title');
  const submit = async ({ by, rate, wanted, text }: CounterValues) => {
    const price = by === 'rate' ? { rate } : { wanted };
    await counter.mutateAsync({ params: { id }, body: { version, text, ...price } });
    toast('success', t('otc.countered'));
    onClose();
  };
  return (
    <Dialog open onOpenChange={(open) => open || fields.submitting || onClose()} title={title}>
      <Form fields={fields} onSubmit={submit} label={title}>
        <Banner kind="notice">{t('otc.counter.ends')}</Banner>
        <SelectField
          label={t('otc.counter.by')}
          options={[
            { value: 'rate', label: t('otc.counter.byRate') },
            { value: 'amount', label: t(fixed === 'sell' ? 'otc.counter.byBought' : 'otc.counter.bySold') },
          ]}
          {...fields.value('by')}
        />
        {fields.values.by === 'rate' ? (
          <TextField
            label={t('otc.field.rate')}
            hint={t('otc.counter.rateHint', { from: sell.asset, to: buy.asset })}
            inputMode="decimal"
            autoComplete="off"
            {...fields.text('rate')}
          />
        ) : (
          <AmountField
            label={t('otc.field.amount')}
            coin={other.asset}
            decimals={other.decimals}
            {...fields.value('wanted')}
          />
        )}
        <TextArea label={t('otc.field.note')} optional maxLength={otcTextMaxLength} {...fields.text('text')} />
        <div className="flex justify-end gap-3 border-t border-line pt-5">
          <Button disabled={fields.submitting} onClick={onClose}>
            {t('otc.accept.back')}
          </Button>
          <Button type="submit" kind="primary" busy={fields.submitting}>
            {t('otc.counter.submit')}
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
