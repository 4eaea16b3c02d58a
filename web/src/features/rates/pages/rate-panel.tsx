import type { RatePair } from '@causeway/contract/rates.ts';
import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useRates } from '../api.ts';
import { RateAlerts } from '../components/rate-alerts.tsx';
import { RateChart } from '../components/rate-chart.tsx';
import { Change } from '../components/rate-state.tsx';

/** One pair beside the list: its rate, how it moved, and the person's own alerts. */
export function Page() {
  const t = useText();
  const { pair: name } = useParams({ strict: false }) as { pair: string };
  const rates = useRates();
  const pair = rates.data?.pairs.find(({ sell, buy }) => `${sell}-${buy}` === name);
  return (
    <SidePanel title={name.replace('-', ' / ')} backTo="/app/wallet/rates">
      {pair ? (
        <div className="flex flex-col gap-6">
          {pair.problem !== null && <Banner kind="pending">{t(`rates.problem.${pair.problem}`)}</Banner>}
          <Facts pair={pair} />
          <RateChart sell={pair.sell} buy={pair.buy} />
          <PanelSection title={t('rates.alerts.title')}>
            <RateAlerts pair={pair} />
          </PanelSection>
        </div>
      ) : rates.isPending ? (
        <Loading loading skeleton={<Skeleton height="h-50" />}>
          {null}
        </Loading>
      ) : rates.data === undefined ? (
        <ErrorState error={rates.error} onRetry={() => void rates.refetch()} />
      ) : (
        <EmptyState icon="exchange" title={t('rates.unknownPair')} text={t('rates.unknownPairText')} />
      )}
    </SidePanel>
  );
}

function Facts({ pair: { sell, buy, rate, inverse, changePercent, at } }: { pair: RatePair }) {
  const t = useText();
  const line = (one: string, value: string | null, other: string) =>
    value === null ? '–' : <span className="figures">{`1 ${one} = ${amountLine(value, other)}`}</span>;
  return (
    <DescriptionList
      facts={[
        { term: t('rates.column.rate'), value: line(sell, rate, buy) },
        { term: t('rates.column.inverse'), value: line(buy, inverse, sell) },
        { term: t('rates.column.change'), value: <Change percent={changePercent} /> },
        { term: t('rates.column.at'), value: at === null ? '–' : <Time at={at} /> },
      ]}
    />
  );
}
