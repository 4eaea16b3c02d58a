import { otcTextMaxLength } from '@causeway/contract/otc-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { useSettled } from '../../../lib/settled.ts';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { Form } from '../../../ui/form.tsx';
import { useFields } from '../../../ui/form-state.ts';
import { PanelSection } from '../../../ui/side-panel.tsx';
import { TextArea, TextField } from '../../../ui/text-field.tsx';
import { type Request, usePrice, useQuote } from '../api.ts';
import { checkQuote, isRate, type QuoteValues } from '../rules.ts';
import { PriceFacts } from './price-facts.tsx';

const typing_ms = 300;
const usualMinutes = '30';

/** The answer: a rate with what it comes to for both, and how long it holds. */
export function QuoteForm({ request }: { request: Request }) {
  const t = useText();
  const quote = useQuote();
  const { id, version, sell, buy, usual } = request;
  const fields = useFields<QuoteValues, QuoteValues>({
    check: checkQuote,
    defaults: { rate: '', minutes: usualMinutes, text: '' },
  });
  const typed = useSettled(fields.values.rate.trim(), typing_ms);
  const price = usePrice(id, isRate(typed) ? typed : '');
  const shown = isRate(typed) ? price.data : undefined;
  const submit = async ({ rate, minutes, text }: QuoteValues) => {
    const body = { version, rate, minutes: Number(minutes), text };
    await quote.mutateAsync({ params: { id }, body });
    toast('success', t('ops.desk.quoted'));
    fields.reset();
  };
  return (
    <PanelSection title={t('ops.desk.answer')}>
      <Form fields={fields} onSubmit={submit} label={t('ops.desk.answer')}>
        <TextField
          label={t('otc.field.rate')}
          hint={t('otc.counter.rateHint', { from: sell.asset, to: buy.asset })}
          inputMode="decimal"
          autoComplete="off"
          {...fields.text('rate')}
        />
        {usual !== null && fields.values.rate === '' && (
          <div>
            <Button size="small" onClick={() => fields.set('rate', shortened(usual))}>
              {t('ops.desk.takeUsual')}
            </Button>
          </div>
        )}
        {shown !== undefined && <PriceFacts price={shown} request={request} />}
        {isRate(typed) && price.data === undefined && price.error !== null && (
          <p role="status" className="m-0 text-13 text-negative">
            {price.error.messages[0]}
          </p>
        )}
        <TextField
          label={t('ops.desk.minutes')}
          hint={t('ops.desk.minutesHint')}
          inputMode="numeric"
          autoComplete="off"
          {...fields.text('minutes')}
        />
        <TextArea label={t('otc.field.note')} optional maxLength={otcTextMaxLength} {...fields.text('text')} />
        <div className="flex justify-end">
          <Button
            type="submit"
            kind="primary"
            busy={fields.submitting}
            disabled={shown !== undefined && shown.problem !== null}
          >
            {t('ops.desk.quote')}
          </Button>
        </div>
      </Form>
    </PanelSection>
  );
}

/** No more decimals than a rate may have; cut, which is against the company. */
function shortened(rate: string): string {
  const [whole = '0', decimals = ''] = rate.split('.');
  return decimals === '' ? whole : `${whole}.${decimals.slice(0, 18)}`;
}
