import type { Stage } from '@causeway/contract/transactions-rules.ts';
import type { OutboxEvent } from '../../platform/database/outbox.ts';

/** What is announced of a transaction of any type. */
export const transactionEvents = {
  /** `{ transactionId, stage }`: it has come to a stage that people are notified of. */
  reached: 'transaction.reached',
} as const;

export function reached(transactionId: string, stage: Stage): OutboxEvent {
  return { name: transactionEvents.reached, payload: { transactionId, stage } };
}
