import type { OutputSet } from '@causeway/contract/operator-outputs.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { isDifferent } from '../api-outputs.ts';

/** How many outputs an owner has, what they sum to, and whether the ledger agrees. */
export function OutputFigures({ set }: { set: OutputSet }) {
  const t = useText();
  const { coin, chainName, companyName, spendingCost, oldestAt, booked, difference } = set;
  const owner = companyName === '' ? t('ops.outputs.treasury') : companyName;
  const money = (amount: string) => <Money amount={amount} coin={coin} />;
  const part = (name: 'confirmed' | 'waiting' | 'leaving') => (
    <Stat
      label={t(`ops.outputs.${name}`)}
      value={money(set[name].quantity)}
      detail={t('ops.outputs.counted', { count: set[name].count })}
    />
  );
  return (
    <Card title={`${owner} · ${chainName}`}>
      <div className="flex flex-col gap-6">
        {isDifferent(difference) && (
          <Banner kind="negative">{t('ops.outputs.differs', { amount: difference ?? '', coin })}</Banner>
        )}
        <div className="grid gap-x-6 gap-y-5 sm:grid-cols-2 xl:grid-cols-4">
          {part('confirmed')}
          {part('waiting')}
          {part('leaving')}
          <Stat
            label={t('ops.outputs.small')}
            value={String(set.small ?? set.dust)}
            detail={
              spendingCost === null
                ? t('ops.outputs.dust', { count: set.dust })
                : t('ops.outputs.smallText', { amount: spendingCost, coin, dust: set.dust })
            }
          />
          <Stat
            label={t('ops.outputs.booked')}
            value={booked === null ? '–' : money(booked)}
            detail={t(booked === null ? 'ops.outputs.noBooks' : 'ops.outputs.bookedText')}
          />
          <Stat
            label={t('ops.outputs.difference')}
            value={difference === null ? '–' : <Money amount={difference} coin={coin} signed />}
          />
          <Stat label={t('ops.outputs.oldest')} value={oldestAt === null ? '–' : <Time at={oldestAt} />} />
        </div>
      </div>
    </Card>
  );
}
