import { type HistoryPeriod, historyPeriods } from '@causeway/contract/history-rules.ts';
import { lazy, Suspense, useState } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { remember, remembered } from '../../../lib/storage.ts';
import { Card } from '../../../ui/card.tsx';
import { DailyChartShape } from '../../../ui/chart.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { type History, useHistory } from '../api.ts';
import { Change } from './change.tsx';

const HistoryChart = lazy(async () => ({ default: (await import('./history.tsx')).History }));

const periodKey = 'home-period';

/** What the company holds, what it is made of, and how it came about. Figures, chart and changes are of one moment. */
export function BalanceCard() {
  const t = useText();
  const [period, setPeriod] = usePeriod();
  const history = useHistory(period);
  const { data, error } = history;
  if (error !== null && data === undefined) {
    return (
      <Card>
        <ErrorState error={error} onRetry={() => void history.refetch()} />
      </Card>
    );
  }
  return (
    <Card>
      <div className="flex flex-col gap-6">
        <Figures overview={data?.overview} />
        <div className="flex flex-col gap-5 border-t border-line pt-5">
          <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
            <h3 className="m-0 text-13 font-normal text-faint">{t('home.history')}</h3>
            <Periods value={period} onChange={setPeriod} />
          </div>
          <Loading loading={data === undefined} skeleton={<HistoryShape />}>
            {data && (
              <>
                <Change change={data.change} currency={data.overview.currency} />
                <Suspense fallback={<DailyChartShape />}>
                  <HistoryChart history={data} period={period} />
                </Suspense>
              </>
            )}
          </Loading>
        </div>
      </div>
    </Card>
  );
}

/** The period, remembered in this browser. */
function usePeriod(): [HistoryPeriod, (period: HistoryPeriod) => void] {
  const [period, setPeriod] = useState<HistoryPeriod>(
    () => historyPeriods.find((each) => each === remembered(periodKey)) ?? '30',
  );
  const change = (next: HistoryPeriod) => {
    setPeriod(next);
    remember(periodKey, next);
  };
  return [period, change];
}

function Periods({ value, onChange }: { value: HistoryPeriod; onChange: (period: HistoryPeriod) => void }) {
  const t = useText();
  return (
    <fieldset className="m-0 flex gap-1 border-0 p-0">
      <legend className="sr-only">{t('home.history.period')}</legend>
      {historyPeriods.map((period) => (
        <button
          key={period}
          type="button"
          aria-pressed={period === value}
          onClick={() => onChange(period)}
          className={classNames(
            'figures min-h-8 rounded-6 px-2.5 text-13',
            period === value ? 'bg-accent-soft font-medium text-accent' : 'text-muted hover:bg-hover',
          )}
        >
          {t('home.history.days', { days: Number(period) })}
        </button>
      ))}
    </fieldset>
  );
}

function Figures({ overview }: { overview: History['overview'] | undefined }) {
  const t = useText();
  const formats = useFormats();
  const figure = (amount: string | null | undefined) => {
    if (overview === undefined) return null;
    return amount == null ? <span className="text-faint">—</span> : <Money amount={amount} coin={overview.currency} />;
  };
  return (
    <>
      {overview?.pricesStale && overview.pricesUpdatedAt !== null && (
        <Banner kind="pending">{t('home.pricesStale', { time: formats.dateTime(overview.pricesUpdatedAt) })}</Banner>
      )}
      <div className="flex flex-wrap items-start justify-between gap-x-12 gap-y-6">
        <div className="flex min-w-0 flex-col gap-1">
          <h2 className="m-0 text-13 font-normal text-faint">{t('home.total')}</h2>
          {overview === undefined ? (
            <Skeleton width="w-56" height="h-9" />
          ) : overview.total === null ? (
            <span className="text-20 font-semibold text-faint">{t('home.pricesUnknown')}</span>
          ) : (
            <Money amount={overview.total} coin={overview.currency} size="hero" />
          )}
          <span className="text-12 text-faint">
            {overview === undefined ? (
              <Skeleton width="w-40" />
            ) : overview.pricesUpdatedAt === null ? (
              t('home.estimateIn', { currency: overview.currency })
            ) : (
              <>
                {t('home.estimateAt')} <Time at={overview.pricesUpdatedAt} />
              </>
            )}
          </span>
        </div>
        <div className="grid w-full items-start grid-cols-1 gap-x-10 gap-y-4 sm:w-auto sm:grid-cols-3">
          <Stat label={t('home.available')} value={figure(overview?.available)} />
          <Stat label={t('home.inTransfer')} value={figure(overview?.outbound)} />
          {overview?.escrow != null && /[1-9]/.test(overview.escrow) && (
            <Stat label={t('home.escrow')} value={figure(overview.escrow)} />
          )}
          <Stat label={t('home.arriving')} value={figure(overview?.inbound)} detail={t('home.arriving.detail')} />
        </div>
      </div>
    </>
  );
}

/** As high as the changes with the chart, so that nothing jumps when they come. */
function HistoryShape() {
  return (
    <div className="flex flex-col gap-5">
      <div className="grid grid-cols-2 gap-x-6 gap-y-3 lg:grid-cols-4">
        {['a', 'b', 'c', 'd'].map((key) => (
          <div key={key} className="flex flex-col gap-2 py-0.5">
            <Skeleton width="w-16" height="h-3" />
            <Skeleton width="w-28" />
          </div>
        ))}
      </div>
      <DailyChartShape />
    </div>
  );
}
