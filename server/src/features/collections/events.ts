import type { OutboxEvent } from '../../platform/database/outbox.ts';

export const collectionEvents = {
  /** `{ requestId }`: its addresses are to be opened. */
  made: 'paymentRequest.made',
  /** `{ reminderId }`: a mail to the payer is due. */
  reminderDue: 'paymentRequest.reminderDue',
  /** `{ requestId }`: it is settled, and its payer gets a receipt. */
  receiptDue: 'paymentRequest.receiptDue',
} as const;

export function made(requestId: string): OutboxEvent {
  return { name: collectionEvents.made, payload: { requestId } };
}

export function reminderDue(reminderId: string): OutboxEvent {
  return { name: collectionEvents.reminderDue, payload: { reminderId } };
}

export function receiptDue(requestId: string): OutboxEvent {
  return { name: collectionEvents.receiptDue, payload: { requestId } };
}
