import type { TradeDetail } from '@causeway/contract/trades.ts';
import { useText } from '../../../lib/locale.tsx';
import { Card } from '../../../ui/card.tsx';
import { Money } from '../../../ui/money.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { Time } from '../../../ui/time.tsx';
import { TransactionStatusWord } from '../../transactions/index.ts';

/** Payments to the seller, each a transfer of its own. */
export function TradePayments({ trade: { releases, milestones, asset } }: { trade: TradeDetail }) {
  const t = useText();
  const nameOf = (id: string | null) => milestones.find((milestone) => milestone.id === id)?.name;
  return (
    <Card title={t('trades.payments')} flush>
      <ul className="m-0 list-none p-0">
        {releases.map(({ transactionId, milestoneId, amount, status, stage, at }) => (
          <li
            key={transactionId}
            className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2 border-b border-line px-5 py-3 last:border-b-0"
          >
            <span className="flex min-w-0 flex-col">
              <PlainLink href={`/app/transaction/${transactionId}`} className="text-accent">
                {nameOf(milestoneId) ?? t('trades.payment')}
              </PlainLink>
              <span className="text-12 text-faint">
                <Time at={at} />
              </span>
            </span>
            <span className="ml-auto flex flex-col items-end gap-0.5">
              <Money amount={amount} coin={asset} atMost={8} align="right" />
              <TransactionStatusWord row={{ status, stage, confirmations: null, confirmationsNeeded: null }} />
            </span>
          </li>
        ))}
      </ul>
    </Card>
  );
}
