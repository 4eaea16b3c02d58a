import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import type { Desk } from '../api.ts';

/** What all positions are worth, and what today has brought so far. */
export function Summary({ desk }: { desk: Desk }) {
  const t = useText();
  const [today] = desk.days;
  const dollars = (amount: string | null | undefined) =>
    amount == null ? t('ops.exchange.noPrice') : <Money amount={amount} coin="USD" signed />;
  return (
    <Card title={t('ops.exchange.today')}>
      <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
        <Stat label={t('ops.exchange.value')} value={dollars(desk.usd)} detail={t('ops.exchange.valueText')} />
        <Stat label={t('ops.profit.total')} value={dollars(today ? today.total : '0.00')} />
        <Stat label={t('ops.profit.spread')} value={dollars(today?.spread ?? '0.00')} />
        <Stat
          label={t('ops.profit.hedging')}
          value={dollars(today?.hedging ?? '0.00')}
          detail={t('ops.profit.feesPaidOf', { amount: today?.feesPaid ?? '0.00' })}
        />
      </div>
    </Card>
  );
}
