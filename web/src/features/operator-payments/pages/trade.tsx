import { useParams } from '@tanstack/react-router';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { Icon } from '../../../ui/icon.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StandingDialog } from '../../operator/index.ts';
import { TradeLines } from '../../trades/index.ts';
import { type TradeCopy, useOperatorTrade } from '../api-trades.ts';
import { ReceivedEvents } from '../components/trade-events.tsx';
import { SentMessages } from '../components/trade-messages.tsx';
import { NextStep } from '../components/trade-next-step.tsx';
import { Payments } from '../components/trade-payments.tsx';
import { TradeStateWord } from '../components/trade-state-word.tsx';

/** One company's copy of a guaranteed trade: its money, and both directions of what was said between company and platform. */
export function Page() {
  const { companyId, id } = useParams({ strict: false }) as { companyId: string; id: string };
  const read = useOperatorTrade(companyId, id);
  const data = read.data?.id === id && read.data.company.id === companyId ? read.data : undefined;
  return (
    <Frame>
      {data === undefined && read.error !== null ? (
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-120" />}>
          {data && <Trade trade={data} />}
        </Loading>
      )}
      <StandingDialog />
    </Frame>
  );
}

function Trade({ trade }: { trade: TradeCopy }) {
  const t = useText();
  return (
    <div className="flex flex-col gap-6">
      <Head trade={trade} />
      <Troubles trade={trade} />
      <Figures trade={trade} />
      <div className="grid items-start gap-6 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-6">
          <Card title={t('ops.trades.sent')}>
            <SentMessages trade={trade} />
          </Card>
          <Card title={t('ops.trades.received')}>
            <ReceivedEvents events={trade.events} />
          </Card>
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <Facts trade={trade} />
          {trade.releases.length > 0 && (
            <Card title={t('trades.payments')}>
              <Payments trade={trade} />
            </Card>
          )}
          <Card title={t('trades.timeline')}>
            <TradeLines timeline={trade.timeline} asset={trade.asset} />
          </Card>
        </div>
      </div>
    </div>
  );
}

function Head({ trade }: { trade: TradeCopy }) {
  const t = useText();
  const { number, side, company } = trade;
  return (
    <div className="flex flex-wrap items-start justify-between gap-4">
      <div className="flex min-w-0 flex-col gap-1">
        <PlainLink href="/app/trades" className="inline-flex items-center gap-1 text-13 text-accent">
          <Icon name="chevronLeft" size={14} />
          {t('ops.title.trades')}
        </PlainLink>
        <h2 className="m-0 text-16 font-semibold wrap-anywhere">{number}</h2>
        <span className="flex flex-wrap gap-x-2">
          <PlainLink href={`/app/companies/${company.id}`} className="text-accent wrap-anywhere">
            {company.name}
          </PlainLink>
          <span className="text-muted">{t(`trades.side.${side}`)}</span>
        </span>
      </div>
      <TradeStateWord trade={trade} />
    </div>
  );
}

/** What needs a person. */
function Troubles({ trade: { troubles, contradiction, events, version } }: { trade: TradeCopy }) {
  const t = useText();
  const waiting = events.filter(({ outcome }) => outcome === 'waiting').map((event) => event.version);
  const list = (items: readonly (string | number)[]) => items.join(t('trades.comma'));
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {contradiction !== null && (
        <Banner kind="negative">
          {t('ops.trades.contradiction', {
            fields: list(contradiction.fields.map((field) => t(`trades.term.${field}`))),
            version: contradiction.version,
          })}
        </Banner>
      )}
      {waiting.length > 0 && (
        <Banner kind="pending">{t('ops.trades.gap', { missing: version + 1, waiting: list(waiting) })}</Banner>
      )}
      {troubles.includes('undelivered') && <Banner kind="negative">{t('ops.trades.undelivered')}</Banner>}
      {troubles.includes('overdue') && <Banner kind="pending">{t('ops.trades.overdue')}</Banner>}
    </div>
  );
}

function Figures({ trade: { quantity, frozen, paid, paying, refunded, asset } }: { trade: TradeCopy }) {
  const t = useText();
  const stat = (field: string, amount: string | null) =>
    amount !== null && (
      <Stat label={t(`trades.field.${field}`)} value={<Money amount={amount} coin={asset} atMost={8} />} />
    );
  return (
    <Card>
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2 lg:grid-cols-5">
        {stat('quantity', quantity)}
        {stat('frozen', frozen)}
        {stat('paid', paid)}
        {stat('paying', paying)}
        {stat('refunded', refunded)}
      </div>
    </Card>
  );
}

function Facts({ trade }: { trade: TradeCopy }) {
  const t = useText();
  const { payer, payee, chainName, billOfLading, version, milestones, asset } = trade;
  const party = ({ name, wallet }: TradeCopy['payer'], what: string) => (
    <span className="inline-flex min-w-0 flex-col">
      <span className="wrap-anywhere">{name}</span>
      <Address value={wallet} short what={what} />
    </span>
  );
  return (
    <Card title={t('trades.facts')}>
      <DescriptionList
        facts={[
          { term: t('trades.field.next'), value: <NextStep trade={trade} /> },
          { term: t('trades.field.payer'), value: party(payer, t('trades.field.payerWallet')) },
          { term: t('trades.field.payee'), value: party(payee, t('trades.field.payeeWallet')) },
          { term: t('trades.field.chain'), value: chainName },
          { term: t('trades.field.billOfLading'), value: billOfLading ?? '–' },
          { term: t('ops.trades.versionTaken'), value: version },
          ...milestones.map(({ name, amount, reached }) => ({
            term: name,
            value: (
              <span className="inline-flex flex-col items-end">
                <Money amount={amount} coin={asset} atMost={8} />
                <span className="text-12 text-faint">{t(`trades.milestone.${reached ? 'reached' : 'open'}`)}</span>
              </span>
            ),
          })),
        ]}
      />
    </Card>
  );
}
