import { lazy, Suspense } from 'react';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, ErrorState, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useOverview } from '../api.ts';

const History = lazy(async () => ({ default: (await import('./history.tsx')).History }));

type Overview = NonNullable<ReturnType<typeof useOverview>['data']>;

/** What the company holds, what it is made of, and how it came about over 30 days. */
export function BalanceCard() {
  const overview = useOverview();
  if (overview.error !== null && overview.data === undefined) {
    return (
      <Card>
        <ErrorState error={overview.error} onRetry={() => void overview.refetch()} />
      </Card>
    );
  }
  return (
    <Card>
      <div className="flex flex-col gap-6">
        <Figures overview={overview.data} />
        <Suspense fallback={<HistoryShape />}>
          <History />
        </Suspense>
      </div>
    </Card>
  );
}

function Figures({ overview }: { overview: Overview | undefined }) {
  const t = useText();
  const formats = useFormats();
  const figure = (amount: string | null | undefined) => {
    if (amount === undefined) return null;
    return amount === null ? (
      <span className="text-faint">—</span>
    ) : (
      <Money amount={amount} {...(overview && { coin: overview.currency })} />
    );
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
          <Stat label={t('home.arriving')} value={figure(overview?.inbound)} detail={t('home.arriving.detail')} />
        </div>
      </div>
    </>
  );
}

/** As high as the chart with its heading, so that nothing jumps when it comes. */
function HistoryShape() {
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <Skeleton width="w-24" height="h-5" />
      <Skeleton height="h-56" />
    </div>
  );
}
