import { createHash } from 'node:crypto';
import type { TradePhase, TradeSide, TradeState } from '@causeway/contract/trades-rules.ts';

/** What a trade is and what an event may change of it: pure. Amounts in minor units. */

/** What the company itself has done; of a seller always `open`. */
export type OwnState = 'open' | 'waiting_approval' | 'frozen' | 'declined' | 'cancelled';

export interface Milestone {
  id: string;
  name: string;
  amountMinor: bigint;
  reached: boolean;
}

/** What a buyer confirms, and what no event can change after that. */
export interface Terms {
  number: string;
  chainId: string;
  asset: string;
  quantityMinor: bigint;
  payerWallet: string;
  payeeName: string;
  payeeWallet: string;
  milestones: readonly Milestone[];
}

/** A trade as far as events concern it. */
export interface Standing extends Terms {
  side: TradeSide;
  version: number;
  state: OwnState;
  refundedMinor: bigint;
  frozenMinor: bigint;
  /** Payments to the seller that have not failed. */
  releasedMinor: bigint;
}

/** What an event says, read. */
export interface Said extends Terms {
  status: TradeState;
  phase: TradePhase;
  refundedMinor: bigint;
}

/** Which of these an event may be, by the version that the trade is at. */
export function placeOf(version: number, at: number): 'old' | 'next' | 'early' {
  if (version <= at) return 'old';
  return version === at + 1 ? 'next' : 'early';
}

/** Terms whose values differ, by name. */
function differing(one: Terms, other: Terms): string[] {
  const plain = ['number', 'chainId', 'asset', 'quantityMinor', 'payerWallet', 'payeeName', 'payeeWallet'] as const;
  const agreed = ({ milestones }: Terms) =>
    JSON.stringify(milestones.map(({ id, name, amountMinor }) => [id, name, amountMinor.toString()]));
  return [
    ...plain.filter((name) => one[name] !== other[name]),
    ...(agreed(one) === agreed(other) ? [] : ['milestones']),
  ];
}

/** What is a contradiction in any state: a trade stays between the same addresses, in the same coin. */
const lasting: ReadonlySet<string> = new Set(['chainId', 'asset', 'payerWallet', 'payeeWallet']);

/** Whether milestones together are more than the amount: what no event may say. */
export function areMilestonesBeyond({ milestones, quantityMinor }: Terms): boolean {
  return milestones.reduce((sum, { amountMinor }) => sum + amountMinor, 0n) > quantityMinor;
}

/** What is already settled that an event contradicts, by name; none: it can be taken in. */
export function contradictions(trade: Standing, said: Said): string[] {
  const terms = differing(trade, said);
  const isFixed = trade.side === 'buyer' && trade.state !== 'open';
  const refused = isFixed ? terms : terms.filter((name) => lasting.has(name));
  if (areMilestonesBeyond(said)) refused.push('milestones');
  if (said.refundedMinor > said.quantityMinor || (trade.side === 'buyer' && !isRefundPossible(trade, said)))
    refused.push('refunded');
  return [...new Set(refused)];
}

/** It can only grow, and what was paid to the seller cannot come back through it. */
function isRefundPossible(trade: Standing, { status, refundedMinor }: Said): boolean {
  if (refundedMinor < trade.refundedMinor) return false;
  // What is frozen comes back in any case.
  if (status === 'cancelled') return refundedMinor <= trade.quantityMinor;
  if (trade.state === 'open' || trade.state === 'waiting_approval') return refundedMinor === 0n;
  return refundedMinor <= trade.quantityMinor - trade.releasedMinor;
}

/** What comes back from escrow by an event that is taken in: the rest of a cancelled trade, or what was refunded further. */
export function returnedBy(trade: Standing, { status, refundedMinor }: Pick<Said, 'status' | 'refundedMinor'>): bigint {
  if (trade.side === 'seller') return 0n;
  if (status === 'cancelled') return trade.frozenMinor;
  const further = refundedMinor - trade.refundedMinor;
  return further < trade.frozenMinor ? further : trade.frozenMinor;
}

/** What of an event its readers are notified of, beside that it cancels the trade or gives money back. */
export type TradeNews =
  | 'frozen'
  | 'paid'
  | 'refunded'
  | 'shipped'
  | 'inspected'
  | 'disputed'
  | 'settled'
  | 'closed'
  | 'milestone';

/** What is new to a side by an event that is taken in; null: nothing that anyone waits for. */
export function newsOf(
  before: Pick<Standing, 'side' | 'refundedMinor' | 'milestones'> & { status: TradeState; phase: TradePhase },
  said: Said,
): TradeNews | null {
  if (said.status === 'cancelled') return null;
  if (before.side === 'seller' && said.status !== before.status) {
    if (said.status === 'success') return 'paid';
    if (said.status === 'in_progress') return 'frozen';
  }
  if (said.phase !== before.phase) {
    if (said.phase === 'disputed') return 'disputed';
    if (before.phase === 'disputed') return 'settled';
    if (said.phase !== 'agreed') return said.phase;
  }
  if (before.side === 'seller' && said.refundedMinor > before.refundedMinor) return 'refunded';
  return reachedBy(before, said).length > 0 ? 'milestone' : null;
}

/** Names of the milestones that an event says are reached, and none before it did. */
export function reachedBy(before: Pick<Standing, 'milestones'>, said: Pick<Said, 'milestones'>): string[] {
  const known = new Set(before.milestones.filter(({ reached }) => reached).map(({ id }) => id));
  return said.milestones.filter(({ id, reached }) => reached && !known.has(id)).map(({ name }) => name);
}

/** What can still be paid to the seller. */
export function payableMinor(
  trade: Pick<Standing, 'state' | 'quantityMinor' | 'refundedMinor' | 'releasedMinor'>,
): bigint {
  return trade.state === 'frozen' ? trade.quantityMinor - trade.refundedMinor - trade.releasedMinor : 0n;
}

type Sums = Pick<Standing, 'state' | 'quantityMinor' | 'refundedMinor' | 'releasedMinor' | 'frozenMinor'>;

/**
 * What is frozen after a payment of `amountMinor` came to nothing: no more than can still be paid. First what went back to escrow, then what is
 * available, up to the payment's amount.
 * @returns minor units: `kept` of what is in escrow, `returned` of it to what is available, `taken` out of what is available
 */
export function refrozen(
  trade: Sums,
  {
    amountMinor,
    inEscrowMinor,
    availableMinor,
  }: { amountMinor: bigint; inEscrowMinor: bigint; availableMinor: bigint },
): { keptMinor: bigint; returnedMinor: bigint; takenMinor: bigint } {
  const roomMinor = most(0n, payableMinor(trade) - trade.frozenMinor);
  const keptMinor = least(roomMinor, inEscrowMinor);
  return {
    keptMinor,
    returnedMinor: inEscrowMinor - keptMinor,
    takenMinor: most(0n, least(roomMinor - keptMinor, amountMinor - inEscrowMinor, availableMinor)),
  };
}

const least = (...amounts: bigint[]) => amounts.reduce((one, other) => (other < one ? other : one));
const most = (...amounts: bigint[]) => amounts.reduce((one, other) => (other > one ? other : one));

/** What is frozen and can no longer be paid, because a payment that had come to nothing was made after all. */
export function unfreezableMinor(trade: Sums): bigint {
  return most(0n, trade.frozenMinor - most(0n, payableMinor(trade)));
}

/** SHA-256, hex, of what a confirmation agrees to, in one fixed form. */
export function tradeDigest(
  confirmed: Terms & { companyId: string; confirmationId: string; tradeId: string; walletId: string },
): string {
  const { companyId, confirmationId, tradeId, walletId, number, chainId, asset, quantityMinor } = confirmed;
  const { payerWallet, payeeName, payeeWallet, milestones } = confirmed;
  return createHash('sha256')
    .update(
      JSON.stringify([
        ...['trade', companyId, confirmationId, tradeId, walletId, number, chainId, asset, quantityMinor.toString()],
        ...[payerWallet, payeeName, payeeWallet],
        milestones.map(({ id, name, amountMinor }) => [id, name, amountMinor.toString()]),
      ]),
    )
    .digest('hex');
}
