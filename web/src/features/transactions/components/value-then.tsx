import type { TransactionDetail, TransactionValue } from '@causeway/contract/transactions.ts';
import { dayOf } from '../../../lib/days.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Money } from '../../../ui/money.tsx';
import { rateSource, shortRate } from '../words.ts';

/** What it was worth when it was recorded: in the company's base currency and in US dollars, each with the rate it rests on. */
export function ValueThen({ detail }: { detail: TransactionDetail }) {
  const t = useText();
  const { value, coin, recordedValue } = detail;
  const { base } = value;
  if (value.usd === null) return <span className="text-faint">{t('transactions.value.unknown')}</span>;
  return (
    <span className="flex flex-col items-end gap-1">
      {base.currency !== 'USD' &&
        (base.amount === null ? (
          <span className="text-faint">{t('transactions.value.noRate', { currency: base.currency })}</span>
        ) : (
          <Figure amount={base.amount} currency={base.currency} asset={coin} rate={base.rate} rateOf={base.rateOf} />
        ))}
      <Figure amount={value.usd} currency="USD" asset={coin} rate={value.price} rateOf="moment" />
      {recordedValue !== null && (
        <span className="text-12 text-faint">
          {t('transactions.value.recorded', { value: amountLine(recordedValue.amount, recordedValue.currency) })}
        </span>
      )}
    </span>
  );
}

interface FigureProps {
  amount: string;
  currency: string;
  asset: string;
  rate: TransactionValue['price'];
  rateOf: TransactionValue['base']['rateOf'];
}

function Figure({ amount, currency, asset, rate, rateOf }: FigureProps) {
  const t = useText();
  const formats = useFormats();
  return (
    <span className="flex flex-col items-end">
      <Money amount={amount} coin={currency} align="right" />
      {rate !== null && asset !== currency && (
        <span className="text-right text-12 text-faint">
          {t(rateOf === 'day' ? 'transactions.value.rateOfDay' : 'transactions.value.rateOfMoment', {
            asset,
            currency,
            rate: shortRate(rate.rate),
            source: rateSource(rate.source),
            at: rateOf === 'day' ? formats.date(dayOf(rate.at.slice(0, 10))) : formats.dateTime(rate.at),
          })}
        </span>
      )}
    </span>
  );
}
