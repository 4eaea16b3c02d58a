import { useText } from '../../../lib/locale.tsx';
import { amountLine } from '../../../ui/amount-parts.ts';
import { Card } from '../../../ui/card.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { useWaitingTrades } from '../api.ts';
import { NextActor } from './next-actor.tsx';

/** Guaranteed trades that wait for the company as their buyer; nothing where there are none. */
export function TradesWaiting() {
  const t = useText();
  const waiting = useWaitingTrades().data?.items ?? [];
  if (waiting.length === 0) return null;
  return (
    <Card title={t('trades.waiting')}>
      <ul className="m-0 flex list-none flex-col gap-3 p-0">
        {waiting.map((trade) => (
          <li key={trade.id} className="flex flex-wrap items-start justify-between gap-x-6 gap-y-1">
            <span className="flex min-w-0 flex-col">
              <PlainLink href={`/app/wallet/tradego/${trade.id}`} className="text-accent">
                {`${trade.number} · ${amountLine(trade.quantity, trade.asset)}`}
              </PlainLink>
              <span className="text-13 text-muted">
                {t(trade.state === 'created' ? 'trades.waiting.confirm' : 'trades.waiting.pay', {
                  payee: trade.payee.name,
                })}
              </span>
            </span>
            <span className="text-13">
              <NextActor trade={trade} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
