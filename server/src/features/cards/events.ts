import type { OutboxEvent } from '../../platform/database/outbox.ts';

/** What cards announce. */
export const cardEvents = {
  /** `{ cardId }`: what the issuer is to know of it has changed. */
  changed: 'cards.changed',
  /** `{ requestId }`: an attempt was declined. */
  declined: 'cards.declined',
  /** `{ eventId }`: the issuer declined an attempt because it suspects fraud. */
  fraudSuspected: 'cards.fraudSuspected',
  /** `{ purchaseId, kind }`: something of a purchase that people are notified of. */
  purchase: 'cards.purchase',
} as const;

export type PurchaseNews = 'held' | 'paid' | 'refunded' | 'refundReversed' | 'overdrawn' | 'forced';

export function cardChanged(cardId: string): OutboxEvent {
  return { name: cardEvents.changed, payload: { cardId } };
}

export function attemptDeclined(requestId: string): OutboxEvent {
  return { name: cardEvents.declined, payload: { requestId } };
}

export function fraudSuspected(eventId: string): OutboxEvent {
  return { name: cardEvents.fraudSuspected, payload: { eventId } };
}

export function purchaseNews(transactionId: string, kind: PurchaseNews): OutboxEvent {
  return { name: cardEvents.purchase, payload: { transactionId, kind } };
}
