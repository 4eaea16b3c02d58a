import { exchangeTolerances, limitOrderMaxDays } from '@causeway/contract/exchange-rules.ts';
import { localTime } from '../../../lib/local-time.ts';
import { useText } from '../../../lib/locale.tsx';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Button } from '../../../ui/button.tsx';
import { RadioField } from '../../../ui/radio-field.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { SelectField } from '../../../ui/select-field.tsx';
import { TextField } from '../../../ui/text-field.tsx';
import { withoutTrailingZeros } from '../../wallets/index.ts';
import { isWithin, type Timing, timings } from '../exchange-values.ts';
import type { ExchangeForm } from './use-exchange-form.ts';

/** As many as a rate can be written with. */
const rateDecimals = 18;
const dayMs = 24 * 60 * 60 * 1000;
const usualDays = 7;

interface Props {
  form: ExchangeForm;
}

/** When it is exchanged: at the quote on screen within a tolerance, or once the rate reaches a limit. */
export function ExchangeTiming({ form: { fields, ...form } }: Props) {
  const t = useText();
  const { values } = fields;
  const choose = (next: Timing) => {
    fields.set('timing', next);
    if (next === 'now') return;
    // What is sold is what a limit order holds.
    if (values.fixed === 'buy') {
      fields.set('amount', withoutTrailingZeros(form.rate.shown?.sell.total ?? ''));
      fields.set('fixed', 'sell');
    }
    if (!(Date.parse(values.limitUntil) > Date.now())) {
      fields.set('limitUntil', localTime(new Date(Date.now() + usualDays * dayMs)));
    }
  };
  return (
    <>
      <RadioField
        label={t('exchanges.timing')}
        options={timings.map((timing) => ({
          value: timing,
          label: t(`exchanges.timing.${timing}`),
          detail: t(`exchanges.timing.${timing}Text`),
        }))}
        {...fields.value('timing')}
        onChange={choose}
      />
      {values.timing === 'limit' ? (
        <Limit form={{ fields, ...form }} />
      ) : (
        <SelectField
          label={t('exchanges.form.tolerance')}
          hint={t('exchanges.form.toleranceHint')}
          options={exchangeTolerances.map((basisPoints) => ({
            value: String(basisPoints),
            label: t('exchanges.form.tolerancePercent', { percent: basisPoints / 100 }),
          }))}
          {...fields.value('tolerance')}
        />
      )}
    </>
  );
}

function Limit({ form: { fields, around, rate } }: Props) {
  const t = useText();
  const { sold, bought } = around;
  const now = rate.shown?.rate;
  const isReached = rate.firm !== undefined && fields.values.bound !== '' && isWithin(rate.firm, fields.values.bound);
  const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <AmountField
        label={
          sold === undefined || bought === undefined
            ? t('exchanges.limit.rate')
            : t('exchanges.limit.rateOf', { from: sold.asset })
        }
        coin={bought?.asset ?? ''}
        decimals={rateDecimals}
        disabled={bought === undefined}
        {...fields.value('limitRate')}
        {...(isReached
          ? { hint: t('exchanges.limit.reached') }
          : now !== undefined && { hint: t('exchanges.limit.now', { rate: rateText(now) }) })}
        {...(now !== undefined && {
          aside: (
            <Button
              size="small"
              onClick={() => fields.set('limitRate', withoutTrailingZeros(rateText(now).replaceAll(',', '')))}
            >
              {t('exchanges.limit.take')}
            </Button>
          ),
        })}
      />
      <TextField
        type="datetime-local"
        label={t('exchanges.limit.until')}
        hint={t('exchanges.limit.untilHint', { zone, days: limitOrderMaxDays })}
        min={localTime(new Date())}
        max={localTime(new Date(Date.now() + limitOrderMaxDays * dayMs))}
        {...fields.text('limitUntil')}
      />
    </div>
  );
}
