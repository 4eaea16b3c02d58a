import { type QueueKind, queueRules, queueUrgencies } from '@causeway/contract/operator-queue-rules.ts';

/** More than any time in milliseconds that the queue will see, so that urgency comes first; still a safe integer. */
const urgencyWeight = 10_000_000_000_000;

/** What the queue is ordered by: urgency, then age in milliseconds. */
export function placeOf(kind: QueueKind, openedAt: Date): number {
  return queueUrgencies.indexOf(queueRules[kind].urgency) * urgencyWeight + openedAt.getTime();
}

/** An item whose cause comes back so soon goes on, with its history. */
export const reopenWithinMinutes = 60;

/** The page of the console on which an item is dealt with; null where it has none. */
export function linkOf(kind: QueueKind, subject: string): string | null {
  return kind === 'proposalOpen' ? `/app/confirmations/${subject}` : null;
}
