import { transactionLives } from './transactions-lives.ts';
import { type LifeType, type Stage, transactionTypes } from './transactions-rules.ts';

/** The plain rules of webhooks, without a schema library (docs/adr/0097-…, docs/WEBHOOKS.md). */

/** What a company's own systems can be sent; a new type is added at the end, and none is ever renamed. */
export const webhookEventTypes = [
  'deposit.detected',
  'deposit.credited',
  'deposit.orphaned',
  'deposit.reversed',
  'transaction.submitted',
  'transaction.approved',
  'transaction.rejected',
  'transaction.completed',
  'transaction.failed',
  'transaction.cancelled',
  'transaction.returned',
  'transaction.reversed',
  'trade.announced',
  'trade.updated',
  'trade.contradicted',
  'trade.frozen',
  'trade.declined',
  'trade.released',
  'trade.returned',
  'trade.disputed',
  'trade.cancelled',
  'payment_request.payment_seen',
  'payment_request.settled',
  'payment_request.unresolved',
  'payment_request.expired',
  'payment_request.cancelled',
  'card.held',
  'card.paid',
  'card.released',
  'card.refunded',
  'card.refund_reversed',
  'trade.release_failed',
  'trade.release_paid',
  'card.declined',
] as const;
export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Sent by a member to try an endpoint; it is no choice of an endpoint's. */
export const webhookTestType = 'webhook.test';
export const webhookLoggedTypes = [...webhookEventTypes, webhookTestType] as const;
export type WebhookLoggedType = (typeof webhookLoggedTypes)[number];

const ofDeposits: Partial<Record<Stage, WebhookEventType>> = {
  seen: 'deposit.detected',
  received: 'deposit.detected',
  credited: 'deposit.credited',
  orphaned: 'deposit.orphaned',
  reversed: 'deposit.reversed',
};
const ofOthers: Partial<Record<Stage, WebhookEventType>> = {
  submitted: 'transaction.submitted',
  approved: 'transaction.approved',
  refused: 'transaction.rejected',
  completed: 'transaction.completed',
  // The bought side of an exchange, which is written when it is carried out.
  credited: 'transaction.completed',
  failed: 'transaction.failed',
  cancelled: 'transaction.cancelled',
  returned: 'transaction.returned',
  reversed: 'transaction.reversed',
};

const ofCards: Partial<Record<LifeType, Partial<Record<Stage, WebhookEventType>>>> = {
  card_payment: { held: 'card.held', completed: 'card.paid', reversed: 'card.released' },
  card_refund: { credited: 'card.refunded', reversed: 'card.refund_reversed' },
};

/** Which event it is that a transaction comes to a stage; null: none. */
export function webhookEventOf(type: LifeType, stage: Stage): WebhookEventType | null {
  if (!(transactionTypes as readonly string[]).includes(type)) return null;
  const events = ofCards[type] ?? (type === 'chain_deposit' || type === 'fiat_deposit' ? ofDeposits : ofOthers);
  const { road, endsEarly } = transactionLives[type];
  return [...road, ...endsEarly].includes(stage) ? (events[stage] ?? null) : null;
}

/** So many endpoints a company has at most. */
export const mostWebhooks = 20;
export const webhookUrlMaxLength = 500;
export const webhookDescriptionMaxLength = 80;

/** How long the secret before a rotation still signs, in hours; 0: it ends at once. */
export const webhookKeepHours = [0, 1, 24, 72, 168] as const;
export const webhookKeepHoursDefault = 24;

/** Why an endpoint is off: a member switched it off, it answered 410 Gone, or all of its deliveries failed for days. */
export const webhookOffReasons = ['member', 'gone', 'failing'] as const;
export type WebhookOffReason = (typeof webhookOffReasons)[number];

export const webhookDeliveryStates = ['waiting', 'delivered', 'failed'] as const;
export type WebhookDeliveryState = (typeof webhookDeliveryStates)[number];

/** What a code confirms of an endpoint. */
export const webhookActions = ['add', 'move', 'reveal', 'rotate'] as const;
export type WebhookAction = (typeof webhookActions)[number];

/**
 * Why an attempt came to nothing. `status`: an answer other than 2xx. `redirect`: one that leads elsewhere, which is not followed. `address`: the name leads to
 * an address that is not public. `name`: it leads to none. `tls`: the certificate is not valid for the name. `off`: the endpoint was switched off meanwhile.
 */
export const webhookProblems = [
  'status',
  'redirect',
  'gone',
  'address',
  'name',
  'connect',
  'tls',
  'timeout',
  'broken',
  'off',
] as const;
export type WebhookProblem = (typeof webhookProblems)[number];

/** An endpoint all of whose deliveries failed for so long is switched off. */
export const webhookFailingDays = 5;
/** The log of deliveries reaches so far back. */
export const webhookLogDays = 90;

/** So much of an answer is kept. */
export const webhookAnswerBytes = 2048;

/** The pauses between attempts, in seconds; after the last attempt a delivery has failed. */
export const webhookRetrySeconds = [5, 60, 300, 1800, 7200, 21_600, 43_200, 86_400] as const;
