import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type {
  getWebhookDelivery,
  listWebhookDeliveries,
  resendFailedWebhooks,
  resendWebhook,
  testWebhook,
  WebhookDelivery,
} from '@causeway/contract/webhooks.ts';
import { webhookTestType } from '@causeway/contract/webhooks.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { testBody } from '../body.ts';
import { messageIdOf } from '../domain.ts';
import { findEndpointOf, lockDelivery, restartFailed, updateDelivery } from '../store/deliveries.ts';
import { insertDeliveries, insertEvent } from '../store/events.ts';
import { deliveryList, findAttempts, findDelivery, type LoggedDelivery } from '../store/log.ts';
import { lockOn } from './endpoints.ts';

/** @throws DomainError cursorInvalid */
export async function listDeliveries(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listWebhookDeliveries>,
): Promise<OutputInput<typeof listWebhookDeliveries>> {
  const { items, ...page } = await readPage(tx, deliveryList, query, undefined);
  return { items: items.map(shown), ...page };
}

/** @throws DomainError notFound */
export async function describeDelivery(
  tx: Tx,
  _context: SignedInContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getWebhookDelivery>> {
  const delivery = await findDelivery(tx, id);
  if (!delivery) throw new DomainError('notFound');
  const attempts = await findAttempts(tx, id);
  return {
    ...shown(delivery),
    body: delivery.body,
    log: attempts.map(({ at, ...attempt }) => ({ ...attempt, at: at.toISOString() })),
  };
}

function shown(row: LoggedDelivery): WebhookDelivery {
  const { endpointId, url, description, isRemoved } = row;
  return {
    id: row.id,
    messageId: messageIdOf(row.eventId),
    endpoint: { id: endpointId, url, description, removed: isRemoved },
    type: row.type,
    transactionId: row.transactionId,
    state: row.state,
    attempts: row.attempts,
    createdAt: row.createdAt.toISOString(),
    nextAt: row.nextAt?.toISOString() ?? null,
    endedAt: row.endedAt?.toISOString() ?? null,
    lastStatus: row.lastStatus,
    lastProblem: row.lastProblem,
  };
}

/** Sends a test event to one endpoint. @throws DomainError notFound, webhookOff */
export async function sendTest(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof testWebhook>,
): Promise<OutputInput<typeof testWebhook>> {
  const { url } = await lockOn(tx, id);
  const eventId = newId();
  const at = context.clock.now();
  await insertEvent(tx, { id: eventId, type: webhookTestType, transactionId: null, body: testBody(at), at });
  const [deliveryId] = await insertDeliveries(tx, eventId, [id]);
  invariant(deliveryId, 'a new event has a delivery');
  await audit(tx, {
    actor: actorOf(context),
    action: 'webhooks.test',
    subjectKind: 'webhook',
    subjectId: id,
    detail: { name: url },
  });
  await announce(tx, [live('webhook', deliveryId)]);
  return { deliveryId };
}

/** Begins a delivery again, also one that was accepted. @throws DomainError notFound, webhookOff, webhookWaiting */
export async function resend(tx: Tx, context: SignedInContext, { id }: Body<typeof resendWebhook>): Promise<null> {
  const endpointId = await findEndpointOf(tx, id);
  if (endpointId === null) throw new DomainError('notFound');
  const { url } = await lockOn(tx, endpointId);
  const delivery = await lockDelivery(tx, id);
  if (!delivery) throw new DomainError('notFound');
  if (delivery.state === 'waiting') throw new DomainError('webhookWaiting');
  await updateDelivery(tx, id, { state: 'waiting', tries: 0, nextAt: context.clock.now(), endedAt: null });
  await audit(tx, {
    actor: actorOf(context),
    action: 'webhooks.resend',
    subjectKind: 'webhook',
    subjectId: endpointId,
    detail: { name: url, deliveryId: id },
  });
  await announce(tx, [live('webhook', id)]);
  return null;
}

/** @throws DomainError notFound, webhookOff */
export async function resendFailed(
  tx: Tx,
  context: SignedInContext,
  { id, since }: Body<typeof resendFailedWebhooks>,
): Promise<OutputInput<typeof resendFailedWebhooks>> {
  const { url } = await lockOn(tx, id);
  // The database's calendar has no year 0.
  const from = new Date(Math.max(Date.parse(since), 0));
  const count = await restartFailed(tx, id, from, context.clock.now());
  await audit(tx, {
    actor: actorOf(context),
    action: 'webhooks.resendFailed',
    subjectKind: 'webhook',
    subjectId: id,
    detail: { name: url, from: from.toISOString(), count: count.toString() },
  });
  await announce(tx, [live('webhook', id)]);
  return { count };
}
