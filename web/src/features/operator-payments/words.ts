import type { AttemptState, NodeAnswerKind } from '@causeway/contract/operator-transactions-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import type { Tone } from '../../ui/status-dot.tsx';

export const attemptTones: Record<AttemptState, Tone> = {
  unsigned: 'progress',
  signed: 'progress',
  broadcast: 'progress',
  mined: 'progress',
  final: 'positive',
  replaced: 'neutral',
  superseded: 'negative',
};

export const answerTones: Record<NodeAnswerKind, Tone> = {
  accepted: 'positive',
  known: 'positive',
  spent: 'notice',
  refused: 'negative',
  silent: 'neutral',
};

const postingKinds = [
  'deposit.seen',
  'deposit.credited',
  'deposit.orphaned',
  'deposit.reversed',
  'deposit.repaid',
  'deficit.repaid',
  'transfer.reserve',
  'transfer.release',
  'transfer.raise',
  'transfer.unused',
  'transfer.settle',
  'batch.reserve',
  'batch.release',
  'trade.freeze',
  'trade.return',
  'trade.release',
  'card.hold',
  'card.release',
  'card.clear',
  'card.refundReversed',
  'card.refund',
  'gas.advanced',
  'gas.spent',
  'payment.booked',
] as const;

/** What a posting is for. One that was made again, or undone, has a number or a word more; one that has no words has its own name. */
export function sayPosting(kind: string, t: Translate): string {
  const known = postingKinds.find((one) => kind === one || kind.startsWith(`${one}.`));
  if (known === undefined) return kind;
  return kind === known ? t(`ops.posting.${known}`) : `${t(`ops.posting.${known}`)} (${kind.slice(known.length + 1)})`;
}

const accountKinds = [
  'available',
  'outbound',
  'inbound',
  'chain',
  'bank',
  'fee',
  'gas',
  'fx',
  'escrow',
  'deficit',
] as const;

export function sayAccount(kind: string, t: Translate): string {
  const known = accountKinds.find((one) => one === kind);
  return known === undefined ? kind : t(`ops.account.${known}`);
}

const holdReasons = ['ahead', 'unexplained'] as const;

/** Why nothing is sent from an address. */
export function sayHold(reason: string, t: Translate): string {
  const known = holdReasons.find((one) => one === reason);
  return known === undefined ? reason : t(`ops.hold.${known}`);
}
