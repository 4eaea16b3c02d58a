import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { useDesk } from '../api.ts';
import { PositionTable } from '../components/position-table.tsx';
import { ProfitTable } from '../components/profit-table.tsx';
import { Summary } from '../components/summary.tsx';
import { VenuesTable } from '../components/venues-table.tsx';

/** What the platform holds from exchanges and hedges, its limits, what it has made, and the venues at which it hedges. */
export function Page() {
  const t = useText();
  const read = useDesk();
  const { data } = read;
  const isHedging = data?.venues.some(({ configured }) => configured);
  const link = 'text-13 font-medium text-accent no-underline hover:underline';
  return (
    <Frame intro={t('ops.exchange.intro')}>
      <nav aria-label={t('ops.exchange.pages')} className="flex flex-wrap gap-x-6 gap-y-2">
        <PlainLink href="/app/exchange/hedges" className={link}>
          {t('ops.title.hedges')}
        </PlainLink>
        <PlainLink href="/app/exchange/terms" className={link}>
          {t('ops.title.exchangeTerms')}
        </PlainLink>
      </nav>
      {data === undefined && read.error !== null ? (
        <Card>
          <ErrorState error={read.error} onRetry={() => void read.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-64" />}>
          <div className="flex flex-col gap-6">
            {isHedging === false && <Banner kind="notice">{t('ops.exchange.noVenue')}</Banner>}
            {data && <Summary desk={data} />}
            <PositionTable desk={data} />
            <ProfitTable days={data?.days} />
            <VenuesTable venues={data?.venues} />
          </div>
        </Loading>
      )}
    </Frame>
  );
}
