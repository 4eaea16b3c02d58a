import type { Stage } from '@causeway/contract/transactions-rules.ts';
import type { OutboxEvent } from '../../platform/database/outbox.ts';

/** What is announced of a transaction of any type. */
export const transactionEvents = {
  /** `{ transactionId, stage }`: it has come to a stage that people are notified of. */
  reached: 'transaction.reached',
  /** `{ transactionId }`: it was submitted and waits, for an approval or a rate. One that goes on at once announces what comes of it. */
  submitted: 'transaction.submitted',
} as const;

export function submittedEvent(transactionId: string): OutboxEvent {
  return { name: transactionEvents.submitted, payload: { transactionId } };
}

export function reached(transactionId: string, stage: Stage): OutboxEvent {
  return { name: transactionEvents.reached, payload: { transactionId, stage } };
}
