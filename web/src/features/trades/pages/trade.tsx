import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Stat } from '../../../ui/stat.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { useTrade } from '../api.ts';
import { NextActor } from '../components/next-actor.tsx';
import { TradeActions } from '../components/trade-actions.tsx';
import { TradeFacts } from '../components/trade-facts.tsx';
import { TradeMilestones } from '../components/trade-milestones.tsx';
import { TradePayments } from '../components/trade-payments.tsx';
import { TradeTimeline } from '../components/trade-timeline.tsx';
import { overpaidOf } from '../values.ts';
import { phaseTones, stateTones } from '../words.ts';

/** One guaranteed trade: who must act and by when, what is frozen and paid, and everything that happened. */
export function Page() {
  const { id } = useParams({ strict: false }) as { id: string };
  const read = useTrade(id);
  const trade = read.data?.id === id ? read.data : undefined;
  if (trade === undefined && read.error !== null) {
    return (
      <Frame>
        <ToList />
        <ErrorState error={read.error} onRetry={() => void read.refetch()} />
      </Frame>
    );
  }
  return (
    <Loading loading={trade === undefined} skeleton={<Skeleton height="h-100" />}>
      {trade && <Trade key={trade.id} trade={trade} />}
    </Loading>
  );
}

function ToList() {
  const t = useText();
  return (
    <PlainLink href="/app/wallet/tradego" className="self-start text-13 text-accent">
      {t('trades.toList')}
    </PlainLink>
  );
}

function Trade({ trade }: { trade: TradeDetail }) {
  const t = useText();
  return (
    <Frame
      intro={
        <span className="flex flex-col gap-1">
          <ToList />
          <span className="wrap-anywhere">
            <span className="font-medium text-text">{trade.number}</span> · {t(`trades.as.${trade.side}`)}
          </span>
        </span>
      }
      actions={<TradeActions trade={trade} />}
    >
      <Remarks trade={trade} />
      <Figures trade={trade} />
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <TradeFacts trade={trade} />
          {trade.milestones.length > 0 && <TradeMilestones trade={trade} />}
          {trade.releases.length > 0 && <TradePayments trade={trade} />}
        </div>
        <TradeTimeline trade={trade} />
      </div>
    </Frame>
  );
}

/** What someone has to know before anything else. */
function Remarks({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const { contradiction, waitingVersions, phase, state, version, asset } = trade;
  const overpaid = trade.side === 'buyer' ? overpaidOf(trade) : null;
  return (
    <div className="flex flex-col gap-3 empty:hidden">
      {contradiction !== null && (
        <Banner kind="negative">
          {t('trades.contradiction', {
            fields: contradiction.fields.map((field) => t(`trades.term.${field}`)).join(t('trades.comma')),
            version: contradiction.version,
          })}
        </Banner>
      )}
      {overpaid !== null && (
        <Banner kind="negative">{t('trades.overpaid', { amount: amountLine(overpaid, asset) })}</Banner>
      )}
      {waitingVersions.length > 0 && (
        <Banner kind="pending">
          {t('trades.gap', { missing: version + 1, waiting: waitingVersions.join(t('trades.comma')) })}
        </Banner>
      )}
      {phase === 'disputed' && state === 'in_progress' && <Banner kind="negative">{t('trades.inDispute')}</Banner>}
    </div>
  );
}

function Figures({ trade }: { trade: TradeDetail }) {
  const t = useText();
  const { state, phase, asset, quantity, frozen, paid, paying, refunded } = trade;
  const figure = (amount: string) => (
    <span className="text-16">
      <Money amount={amount} coin={asset} atMost={8} />
    </span>
  );
  return (
    <Card>
      <div className="flex flex-col gap-5">
        <div className="flex flex-wrap items-start justify-between gap-x-10 gap-y-4">
          <div className="flex min-w-0 flex-col gap-1">
            <h2 className="m-0 text-13 font-normal text-faint">{t('trades.field.quantity')}</h2>
            <Money amount={quantity} coin={asset} size="hero" />
          </div>
          <div className="flex flex-wrap gap-x-10 gap-y-4">
            <Labelled label={t('trades.field.state')}>
              <StatusDot tone={stateTones[state]}>{t(`trades.state.${state}`)}</StatusDot>
            </Labelled>
            <Labelled label={t('trades.field.phase')}>
              <StatusDot tone={phaseTones[phase]}>{t(`trades.phase.${phase}`)}</StatusDot>
            </Labelled>
            <Labelled label={t('trades.field.next')}>
              <NextActor trade={trade} />
            </Labelled>
          </div>
        </div>
        <div className="grid gap-x-8 gap-y-4 border-t border-line pt-5 sm:grid-cols-2 lg:grid-cols-4">
          {frozen !== null && <Stat label={t('trades.field.frozen')} value={figure(frozen)} />}
          {paid !== null && <Stat label={t('trades.field.paid')} value={figure(paid)} />}
          {paying !== null && <Stat label={t('trades.field.paying')} value={figure(paying)} />}
          <Stat label={t('trades.field.refunded')} value={figure(refunded)} />
        </div>
      </div>
    </Card>
  );
}

function Labelled({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex flex-col gap-1">
      <span className="text-13 text-faint">{label}</span>
      <span className="text-14">{children}</span>
    </div>
  );
}
