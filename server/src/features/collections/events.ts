import type { OutboxEvent } from '../../platform/database/outbox.ts';

export const collectionEvents = {
  /** `{ requestId }`: its addresses are to be opened. */
  made: 'paymentRequest.made',
  /** `{ reminderId }`: a mail to the payer is due. */
  reminderDue: 'paymentRequest.reminderDue',
} as const;

export function made(requestId: string): OutboxEvent {
  return { name: collectionEvents.made, payload: { requestId } };
}

export function reminderDue(reminderId: string): OutboxEvent {
  return { name: collectionEvents.reminderDue, payload: { reminderId } };
}
