import type { Output } from '@causeway/contract/call.ts';
import type { listOperatorTrades } from '@causeway/contract/operator-trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';

type Sums = Output<typeof listOperatorTrades>['frozen'];

/** What is frozen now, by currency. */
export function FrozenSums({ sums }: { sums: Sums }) {
  const t = useText();
  return (
    <Card title={t('ops.trades.frozen')}>
      {sums.length === 0 ? (
        <p className="m-0 text-13 text-muted">{t('ops.trades.nothingFrozen')}</p>
      ) : (
        <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-4">
          {sums.map(({ asset, amount, trades }) => (
            <Stat
              key={asset}
              label={asset}
              value={<Money amount={amount} coin={asset} atMost={8} />}
              detail={t('trades.summary.count', { count: trades })}
            />
          ))}
        </div>
      )}
    </Card>
  );
}
