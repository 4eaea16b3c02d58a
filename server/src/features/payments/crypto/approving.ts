import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { costNow, purchaseNow } from '../../exchange/index.ts';
import { type OutgoingKind, outgoingEvents, refuse } from '../../outgoing/index.ts';
import { lockTransaction } from '../../transactions/index.ts';

/** What a task keeps of a payment out of coins: what the payee is credited, and the most of the coin that leaves; amounts in minor units, as text. */
export interface BoughtTask {
  asset: string;
  decimals: number;
  amountMinor: string;
  boundMinor: string;
  rate: string;
  sources: string[];
  ratedAt: string;
}

/**
 * The last approval of a payment out of coins: what it needs is bought at the price of this moment, within the bound, and it can be handed to its bank. Else
 * it ends with the reason, and all that was held comes back.
 * @throws DomainError quoteUnavailable in restore mode: the task waits
 */
export async function buyApproved(tx: Tx, seal: Seal, kind: OutgoingKind, id: string): Promise<void> {
  const end = await purchaseNow(tx, seal, id);
  if (end === null) {
    await announce(tx, [
      { name: outgoingEvents.approved, payload: { transactionId: id } },
      live('transaction', id),
      live('balance', null),
    ]);
    return;
  }
  const payment = await lockTransaction(tx, id);
  invariant(payment, 'a task of a payment has its payment');
  const refundId = await refuse(tx, kind, payment, ['waiting_approval'], { stage: 'refused', reason: end.reason });
  invariant(refundId !== null, 'a payment whose task is pending waits for it');
}

/** What approvers see of what pays it: as it was submitted, and what it would cost now. */
export async function boughtOf(
  tx: Tx,
  id: string,
  bought: BoughtTask | undefined,
  coinDecimals: number,
): Promise<Extract<ApprovalContent, { shape: 'payment' }>['bought']> {
  if (!bought) return null;
  const { asset, decimals, amountMinor, boundMinor, rate, sources, ratedAt } = bought;
  const now = await costNow(tx, id);
  return {
    asset,
    decimals,
    amount: formatAmount(BigInt(amountMinor), decimals),
    bound: formatAmount(BigInt(boundMinor), coinDecimals),
    rate,
    sources,
    ratedAt,
    now: now && { rate: now.rate, sold: now.sold, withinBound: now.withinBound },
  };
}
