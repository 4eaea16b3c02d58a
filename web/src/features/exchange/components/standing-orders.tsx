import type { StandingOrder } from '@causeway/contract/standing-orders.ts';
import { useLocation } from '@tanstack/react-router';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { toast } from '../../../lib/toasts.ts';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Button } from '../../../ui/button.tsx';
import { Card } from '../../../ui/card.tsx';
import { DescriptionList } from '../../../ui/description-list.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { EmptyState, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { Time } from '../../../ui/time.tsx';
import { stageTexts } from '../../transactions/index.ts';
import { useStandingOrders, useStopStanding } from '../api-planned.ts';
import { sayAmount, sayWhen } from '../planned-words.ts';

/** Standing orders with their last turns: those that run, then those that ended. */
export function StandingOrders() {
  const t = useText();
  const orders = useStandingOrders();
  const [asking, setAsking] = useState<StandingOrder | null>(null);
  const stop = useStopStanding(() => {
    setAsking(null);
    toast('success', t('exchanges.planned.stopped'));
  });
  const { data, error } = orders;
  const named = useLocation({ select: ({ hash }) => hash });
  return (
    <section className="flex flex-col gap-3">
      <h2 className="m-0 text-16 font-semibold">{t('exchanges.planned.standing')}</h2>
      {data === undefined && error !== null ? (
        <Card>
          <ErrorState error={error} onRetry={() => void orders.refetch()} />
        </Card>
      ) : (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-40" />}>
          {data?.items.length === 0 && (
            <Card>
              <EmptyState
                icon="clock"
                title={t('exchanges.planned.noStanding')}
                text={t('exchanges.planned.noStandingText')}
              />
            </Card>
          )}
          <ul className="m-0 flex list-none flex-col gap-4 p-0">
            {data?.items.map((order) => (
              <li key={order.id} id={order.id} ref={order.id === named ? intoView : undefined} className="scroll-mt-20">
                <Order order={order} onStop={() => setAsking(order)} />
              </li>
            ))}
          </ul>
        </Loading>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(next) => next || setAsking(null)}
        title={t('exchanges.planned.stopTitle')}
        description={t('exchanges.planned.stopText')}
        facts={
          asking === null
            ? []
            : [
                { term: t('exchanges.planned.pair'), value: `${asking.sell.asset} → ${asking.buy.asset}` },
                { term: t('exchanges.planned.amount'), value: sayAmount(t, asking) },
                { term: t('exchanges.planned.when'), value: sayWhen(t, asking) },
              ]
        }
        confirmText={t('exchanges.planned.stop')}
        cancelText={t('exchanges.planned.goOn')}
        negative
        busy={stop.isPending}
        onConfirm={() => asking && stop.mutate({ body: { id: asking.id } })}
      />
    </section>
  );
}

/** The palette leads to one order by its id in the address. */
function intoView(item: HTMLElement | null): void {
  item?.scrollIntoView({ block: 'start' });
}

function Order({ order, onStop }: { order: StandingOrder; onStop: () => void }) {
  const t = useText();
  const mayExchange = usePermission('exchange.create') !== false;
  const { sell, buy, nextAt, stopped, lastDay, createdBy, tolerance } = order;
  return (
    <Card
      title={`${sell.asset} → ${buy.asset}`}
      aside={
        nextAt !== null && mayExchange ? (
          <Button size="small" onClick={onStop}>
            {t('exchanges.planned.stop')}
          </Button>
        ) : undefined
      }
    >
      <div className="flex flex-col gap-4">
        <DescriptionList
          facts={[
            { term: t('exchanges.planned.amount'), value: sayAmount(t, order) },
            { term: t('exchanges.planned.when'), value: sayWhen(t, order) },
            { term: t('exchanges.planned.wallets'), value: `${sell.placeName} → ${buy.placeName}` },
            {
              term: t('exchanges.planned.tolerance'),
              value: t('exchanges.planned.percent', { percent: tolerance / 100 }),
            },
            ...(lastDay === null ? [] : [{ term: t('exchanges.planned.lastDay'), value: lastDay }]),
            { term: t('exchanges.planned.by'), value: createdBy.name },
            nextAt !== null
              ? { term: t('exchanges.planned.next'), value: <Time at={nextAt} /> }
              : {
                  term: t('exchanges.planned.ended'),
                  value: stopped && (
                    <span className="flex flex-col items-end">
                      <Time at={stopped.at} />
                      <span className="text-12 text-faint">
                        {t(`exchanges.planned.reason.${stopped.reason}`, { name: stopped.by ?? '' })}
                      </span>
                    </span>
                  ),
                },
          ]}
        />
        <Turns order={order} />
      </div>
    </Card>
  );
}

function Turns({ order: { turns, sell, buy } }: { order: StandingOrder }) {
  const t = useText();
  if (turns.length === 0) return <p className="m-0 text-13 text-faint">{t('exchanges.planned.noTurns')}</p>;
  return (
    <section aria-label={t('exchanges.planned.turns')}>
      <h3 className="m-0 mb-2 text-14 font-semibold">{t('exchanges.planned.turns')}</h3>
      <ul className="m-0 list-none rounded-6 border border-line p-0">
        {turns.map(({ dueAt, outcome, sentence, exchange }) => (
          <li key={dueAt} className="border-b border-line px-4 py-2.5 text-13 last:border-b-0">
            <span className="flex flex-wrap items-baseline justify-between gap-x-4">
              <Time at={dueAt} />
              {exchange === null ? (
                <span className="text-muted">{sentence ?? t(`exchanges.planned.outcome.${outcome}`)}</span>
              ) : (
                <PlainLink href={`/app/transaction/${exchange.id}`} className="figures text-accent">
                  {t('exchanges.planned.turn', {
                    sold: amountLine(exchange.sold, sell.asset),
                    bought: amountLine(exchange.bought, buy.asset),
                    stage: t(stageTexts[exchange.stage].text),
                  })}
                </PlainLink>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
