import type { Stage, TimelineEntry, Transaction } from '@causeway/contract/transactions.ts';
import { transactionLives } from '@causeway/contract/transactions-lives.ts';

/** One line of the timeline: something that happened, or a step still to come. */
export interface Step {
  key: string;
  stage: Stage;
  entry: TimelineEntry | null;
  /** Going on now. */
  active: boolean;
  /** How a stage that went on is over: the next one was reached (`done`), or it was ended before that (`cut`). */
  over: 'done' | 'cut' | null;
}

const toCome: Partial<Record<Transaction['type'], readonly Stage[]>> = {
  chain_withdraw: ['submitted', 'signing', 'broadcast', 'confirming', 'completed'],
  chain_accelerate: ['submitted', 'signing', 'broadcast', 'confirming', 'completed'],
  fiat_payout: ['submitted', 'instructed', 'accepted', 'completed'],
  crypto_payout: ['submitted', 'instructed', 'accepted', 'completed'],
  card_payment: ['held', 'completed'],
  chain_deposit: ['seen', 'confirming', 'credited'],
};

/** Stages between two that a reader knows: their places among the stages still to come. */
const standsFor: Partial<Record<Stage, Stage>> = {
  waiting_approval: 'submitted',
  approved: 'submitted',
  replaced: 'broadcast',
  emptied: 'broadcast',
};

/**
 * What happened, in order, and for a pending transaction what is still to come, so that a reader sees how far it is. The last
 * thing that happened is what goes on now, as long as the transaction is pending.
 */
export function timelineSteps(
  transaction: Pick<Transaction, 'type' | 'status' | 'stage'>,
  timeline: readonly TimelineEntry[],
): Step[] {
  const pending = transaction.status === 'pending';
  const happened = timeline.map((entry, index) => ({
    key: `${index}-${entry.stage}`,
    stage: entry.stage,
    entry,
    active: pending && index === timeline.length - 1,
    over: overAt(transaction.type, timeline, index, pending),
  }));
  if (!pending) return happened;
  const path = toCome[transaction.type] ?? [];
  const reached = path.indexOf(standsFor[transaction.stage] ?? transaction.stage);
  const rest = reached === -1 ? [] : path.slice(reached + 1);
  return [
    ...happened,
    ...rest.map((stage) => ({ key: `next-${stage}`, stage, entry: null, active: false, over: null })),
  ];
}

function overAt(
  type: Transaction['type'],
  timeline: readonly TimelineEntry[],
  index: number,
  pending: boolean,
): Step['over'] {
  if (pending && index === timeline.length - 1) return null;
  const { road } = transactionLives[type];
  const place = road.indexOf(timeline[index]?.stage ?? 'submitted');
  return timeline.slice(index + 1).some(({ stage }) => road.indexOf(stage) > place) ? 'done' : 'cut';
}
