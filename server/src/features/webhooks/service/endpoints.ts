import type { Body, OutputInput } from '@causeway/contract/call.ts';
import {
  type addWebhook,
  type editWebhook,
  type endWebhookSecret,
  type listWebhooks,
  mostWebhooks,
  type moveWebhook,
  type revealWebhookSecret,
  type rotateWebhookSecret,
  type setWebhookEnabled,
} from '@causeway/contract/webhooks.ts';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type OpenContext, type SignedInContext } from '../../../platform/session.ts';
import { findMemberNames } from '../../identity/index.ts';
import { refusal } from '../../ledger/index.ts';
import { AddressRefused, type AddressRules, addressesOf, type Resolve } from '../adapters/addresses.ts';
import { newSecret, openSecret, type SealingKeys, sealSecret } from '../secrets.ts';
import { countWaiting } from '../store/deliveries.ts';
import {
  type EndpointRow,
  findEndpoints,
  insertEndpoint,
  lockEndpoint,
  markRemoved,
  moveEndpoint,
  switchOn,
  updateEndpoint,
} from '../store/endpoints.ts';
import {
  deletePrevious,
  deleteSecrets,
  endCurrent,
  findPrevious,
  findSecrets,
  insertSecret,
} from '../store/secrets.ts';
import { addressOf, type ProofPorts, webhookDigest } from './content.ts';
import { turnOff } from './switching-off.ts';
import { tellAdministrators } from './telling.ts';

/** What the routes bind. */
export interface WebhookPorts extends ProofPorts {
  /** Under which secrets are sealed. */
  keys(): SealingKeys;
  rules: AddressRules;
  /** Of names; absent: the system's. */
  resolve?: Resolve;
}

type Context = SignedInContext & WebhookPorts;

export async function list(tx: Tx, { clock }: SignedInContext): Promise<OutputInput<typeof listWebhooks>> {
  const endpoints = await findEndpoints(tx);
  const names = await findMemberNames(
    tx,
    endpoints.map(({ createdBy }) => createdBy),
  );
  const previous = await findPrevious(tx, clock.now());
  const waiting = await countWaiting(tx);
  return {
    items: endpoints.map((endpoint) => ({
      id: endpoint.id,
      url: endpoint.url,
      description: endpoint.description,
      events: endpoint.events,
      enabled: endpoint.enabled,
      off:
        endpoint.offReason === null || endpoint.offAt === null
          ? null
          : { reason: endpoint.offReason, at: endpoint.offAt.toISOString() },
      createdBy: { id: endpoint.createdBy, name: names.get(endpoint.createdBy) ?? '' },
      createdAt: endpoint.createdAt.toISOString(),
      previousUntil: previous.get(endpoint.id)?.toISOString() ?? null,
      failingSince: endpoint.failingSince?.toISOString() ?? null,
      waiting: waiting.get(endpoint.id) ?? 0,
      deliveredAt: endpoint.deliveredAt?.toISOString() ?? null,
    })),
  };
}

/**
 * Makes an endpoint with its secret. The name is resolved before the transaction.
 * @throws DomainError webhookAddressRefused, webhookAddressUnknown, webhookPortRefused, tooManyWebhooks, idTaken; those of the code
 */
export async function add(
  context: OpenContext & WebhookPorts,
  { codeMethod: method, code, ...input }: Body<typeof addWebhook>,
): Promise<OutputInput<typeof addWebhook>> {
  const { database, session } = context;
  const url = await checkedAddress(context, input.url);
  return database.withCompany(session.companyId, async (tx) => {
    const { id, description, events } = input;
    const digest = webhookDigest(session.companyId, { action: 'add', id, url });
    const proof = await context.verifyWebhookCode(tx, { session, method, code, digest });
    const secret = newSecret();
    try {
      const row = { id, url, description, events, createdBy: session.userId };
      if (!(await insertEndpoint(tx, row, mostWebhooks)))
        throw new DomainError('tooManyWebhooks', { most: mostWebhooks });
    } catch (error) {
      if (databaseError(error)?.constraint === 'webhook_endpoint_pkey') throw new DomainError('idTaken');
      throw error;
    }
    await insertSecret(tx, id, sealSecret(context.keys(), secret, id));
    await record(
      tx,
      context,
      'webhooks.add',
      { id, url },
      { description, events: saidEvents(events), proof: proof.method },
    );
    await tellAdministrators(tx, 'security.webhookAdded', { url, by: session.userName });
    return { id, secret };
  });
}

/** @throws DomainError notFound */
export async function edit(tx: Tx, context: SignedInContext, input: Body<typeof editWebhook>): Promise<null> {
  const before = await locked(tx, input.id);
  await updateEndpoint(tx, input);
  const { description, events } = input;
  await record(tx, context, 'webhooks.edit', before, {
    before: { description: before.description, events: saidEvents(before.events) },
    after: { description, events: saidEvents(events) },
  });
  return null;
}

/** @throws DomainError notFound, and as `add` of the address and the code */
export async function move(
  context: OpenContext & WebhookPorts,
  { id, codeMethod: method, code, ...input }: Body<typeof moveWebhook>,
): Promise<null> {
  const { database, session } = context;
  const url = await checkedAddress(context, input.url);
  return database.withCompany(session.companyId, async (tx) => {
    const before = await locked(tx, id);
    const digest = webhookDigest(session.companyId, { action: 'move', id, url });
    const proof = await context.verifyWebhookCode(tx, { session, method, code, digest });
    await moveEndpoint(tx, id, url);
    await record(tx, context, 'webhooks.move', { id, url }, { from: before.url, proof: proof.method });
    await tellAdministrators(tx, 'security.webhookMoved', { url, by: session.userName });
    return null;
  });
}

/** @throws DomainError notFound, companyFrozen where it would be switched on */
export async function setEnabled(
  tx: Tx,
  context: SignedInContext,
  { id, enabled }: Body<typeof setWebhookEnabled>,
): Promise<null> {
  if (enabled && context.session.isFrozen) throw new DomainError('companyFrozen');
  const endpoint = await locked(tx, id);
  if (endpoint.enabled === enabled) return null;
  if (enabled) {
    await switchOn(tx, id);
    await record(tx, context, 'webhooks.enable', endpoint);
  } else {
    await turnOff(tx, endpoint, 'member', { actor: actorOf(context), at: context.clock.now() });
    await announce(tx, [live('webhook', id)]);
  }
  return null;
}

/** Its log stays; its secrets go. @throws DomainError notFound */
export async function remove(tx: Tx, context: SignedInContext, { id }: { id: string }): Promise<null> {
  const endpoint = await locked(tx, id);
  if (endpoint.enabled) await turnOff(tx, endpoint, 'member', { actor: actorOf(context), at: context.clock.now() });
  await markRemoved(tx, id);
  await deleteSecrets(tx, id);
  await record(tx, context, 'webhooks.remove', endpoint);
  return null;
}

/** @throws DomainError notFound; those of the code */
export async function reveal(
  tx: Tx,
  context: Context,
  { id, codeMethod: method, code }: Body<typeof revealWebhookSecret>,
): Promise<OutputInput<typeof revealWebhookSecret>> {
  const { session, clock } = context;
  const endpoint = await locked(tx, id);
  const digest = webhookDigest(session.companyId, { action: 'reveal', id });
  const proof = await context.verifyWebhookCode(tx, { session, method, code, digest });
  const [current] = await findSecrets(tx, id, clock.now());
  invariant(current, `endpoint ${id} has a secret`);
  await record(tx, context, 'webhooks.reveal', endpoint, { proof: proof.method });
  await tellAdministrators(tx, 'security.webhookRevealed', { url: endpoint.url, by: session.userName });
  return { secret: openSecret(context.keys(), current, id) };
}

const hourMs = 3_600_000;

/** @throws DomainError notFound; those of the code */
export async function rotate(
  tx: Tx,
  context: Context,
  { id, keepHours, codeMethod: method, code }: Body<typeof rotateWebhookSecret>,
): Promise<OutputInput<typeof rotateWebhookSecret>> {
  const { session, clock } = context;
  const endpoint = await locked(tx, id);
  const digest = webhookDigest(session.companyId, { action: 'rotate', id });
  const proof = await context.verifyWebhookCode(tx, { session, method, code, digest });
  const secret = newSecret();
  const now = clock.now();
  await deletePrevious(tx, id, now);
  const endsAt = new Date(now.getTime() + keepHours * hourMs);
  await endCurrent(tx, id, endsAt);
  if (keepHours === 0) await deletePrevious(tx, id, now);
  await insertSecret(tx, id, sealSecret(context.keys(), secret, id));
  await record(tx, context, 'webhooks.rotate', endpoint, { keepHours: keepHours.toString(), proof: proof.method });
  await tellAdministrators(tx, 'security.webhookRotated', { url: endpoint.url, by: session.userName });
  return { secret, previousUntil: keepHours === 0 ? null : endsAt.toISOString() };
}

/** @throws DomainError notFound, webhookNoPreviousSecret */
export async function endPrevious(
  tx: Tx,
  context: SignedInContext,
  { id }: Body<typeof endWebhookSecret>,
): Promise<null> {
  const endpoint = await locked(tx, id);
  if (!(await deletePrevious(tx, id, context.clock.now()))) throw new DomainError('webhookNoPreviousSecret');
  await record(tx, context, 'webhooks.endPrevious', endpoint);
  return null;
}

async function locked(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (!endpoint) throw new DomainError('notFound');
  return endpoint;
}

/** An endpoint of the company that is on, and stays so until the transaction's end. @throws DomainError notFound, webhookOff */
export async function lockOn(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await locked(tx, id);
  if (!endpoint.enabled) throw new DomainError('webhookOff');
  return endpoint;
}

const refusals = {
  refused: 'webhookAddressRefused',
  port: 'webhookPortRefused',
  name: 'webhookAddressUnknown',
} as const;

/** The address as it is kept, if a message may be sent to it now. @throws DomainError webhookAddressRefused, webhookAddressUnknown, webhookPortRefused */
async function checkedAddress({ rules, resolve }: WebhookPorts, text: string): Promise<string> {
  const url = addressOf(text);
  try {
    await addressesOf(new URL(url), rules, resolve);
    return url;
  } catch (error) {
    if (!(error instanceof AddressRefused)) throw error;
    throw refusal(refusals[error.problem], { subject: error.subject, ports: rules.ports.join(', ') }, 'url');
  }
}

function saidEvents(events: readonly string[] | null): string[] {
  return events === null ? ['all'] : [...events];
}

async function record(
  tx: Tx,
  context: SignedInContext,
  action: Extract<AuditAction, `webhooks.${string}`>,
  { id, url }: Pick<EndpointRow, 'id' | 'url'>,
  detail: Record<string, unknown> = {},
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'webhook',
    subjectId: id,
    detail: { name: url, ...detail },
  });
  await announce(tx, [live('webhook', id)]);
}
