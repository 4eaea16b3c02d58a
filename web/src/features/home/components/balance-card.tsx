import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { AreaChart } from '../../../ui/chart.tsx';
import { Money } from '../../../ui/money.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { useHistory, useOverview } from '../api.ts';
import { changeOver, knownDays, worthDrawing } from '../history.ts';

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
        <History />
      </div>
    </Card>
  );
}

function Figures({ overview }: { overview: Overview | undefined }) {
  const t = useText();
  const formats = useFormats();
  const figure = (amount: string | null | undefined) => {
    if (amount === undefined) return null;
    return amount === null ? <span className="text-faint">—</span> : <Money amount={amount} coin="USD" />;
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
            <Money amount={overview.total} coin="USD" size="hero" />
          )}
          <span className="text-12 text-faint">
            {overview === undefined ? (
              <Skeleton width="w-40" />
            ) : overview.pricesUpdatedAt === null ? (
              t('home.estimate')
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

function History() {
  const t = useText();
  const formats = useFormats();
  const history = useHistory();
  if (history.error !== null && history.data === undefined) {
    return <ErrorState error={history.error} onRetry={() => void history.refetch()} title={t('home.history.failed')} />;
  }
  const days = knownDays(history.data?.days ?? []);
  const change = changeOver(days);
  return (
    <div className="flex flex-col gap-3 border-t border-line pt-5">
      <div className="flex flex-wrap items-baseline justify-between gap-x-4 text-13">
        <h3 className="m-0 text-13 font-normal text-faint">{t('home.history')}</h3>
        {change !== null && worthDrawing(days) && (
          <span className="figures text-muted">
            {t(`home.change.${change.direction}`, { amount: amountLine(change.amount, 'USD') })}
          </span>
        )}
      </div>
      <Loading loading={history.data === undefined} skeleton={<Skeleton height="h-56" />}>
        {worthDrawing(days) ? (
          <AreaChart
            label={t('home.history.label')}
            points={days}
            format={(value) => amountLine(value, 'USD')}
            formatDate={(at) => formats.date(new Date(`${at}T00:00`))}
          />
        ) : (
          <p className="m-0 flex h-56 items-center justify-center rounded-6 bg-sunken px-6 text-center text-13 text-faint">
            {t('home.history.empty')}
          </p>
        )}
      </Loading>
    </div>
  );
}
