import { useText } from '../../../lib/locale.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { TransactionStatusWord } from '../../transactions/index.ts';
import type { TradeCopy } from '../api-trades.ts';

/** Payments to the seller; each leads to what the operator knows of it. */
export function Payments({ trade: { releases, milestones, asset } }: { trade: TradeCopy }) {
  const t = useText();
  const nameOf = (id: string | null) => milestones.find((milestone) => milestone.id === id)?.name;
  return (
    <ul className="m-0 flex list-none flex-col gap-3 p-0">
      {releases.map(({ transactionId, milestoneId, amount, status, stage, at }) => (
        <li key={transactionId} className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
          <span className="flex min-w-0 flex-col">
            <PlainLink href={`/app/payments/${transactionId}`} className="text-accent">
              {nameOf(milestoneId) ?? t('trades.payment')}
            </PlainLink>
            <span className="text-12 text-faint">
              <Time at={at} />
            </span>
          </span>
          <span className="flex flex-col items-end gap-0.5">
            <Money amount={amount} coin={asset} atMost={8} align="right" />
            <TransactionStatusWord row={{ status, stage, confirmations: null, confirmationsNeeded: null }} />
          </span>
        </li>
      ))}
    </ul>
  );
}
