import type { WebhookProblem } from '@causeway/contract/webhooks-rules.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { Outcome, Post } from '../adapters/posting.ts';
import { healthAfter, messageIdOf, pauseAfter } from '../domain.ts';
import { countAttempt } from '../health.ts';
import { openSecret, type SealingKeys, signedHeaders } from '../secrets.ts';
import {
  type Claimed,
  claimDeliveries,
  findEndpointOf,
  findToSend,
  insertAttempt,
  lockDelivery,
  releaseDelivery,
  type ToSend,
  updateDelivery,
} from '../store/deliveries.ts';
import { lockEndpoint, updateHealth } from '../store/endpoints.ts';
import { findSecrets } from '../store/secrets.ts';
import { turnOff } from './switching-off.ts';

export interface Delivering {
  database: Database;
  keys: SealingKeys;
  post: Post;
  clock: Clock;
  log: Log;
  /** From 0 to 1, for pauses. */
  random?: () => number;
}

/** Requests that a worker has under way at once; endpoints that fail, which may hang, have a part of them. */
const mostUnderWay = 64;
const mostOfFailing = 16;
const idleMs = 500;

/**
 * Delivers until stopped; any number of workers may. A message is sent outside of any transaction: one that was sent and not written down is sent again when its
 * lease has run out, with the same id. What is under way at a stop is broken off and given back.
 */
export function startDelivering(deps: Delivering): Loop {
  const underWay = new Map<Claimed, Promise<void>>();
  const stopping = new AbortController();
  const loop = startLoop({
    name: 'webhooks.deliver',
    everyMs: idleMs,
    log: deps.log,
    async step() {
      const ofFailing = [...underWay.keys()].filter(({ isFailing }) => isFailing).length;
      const room = mostUnderWay - underWay.size;
      const claimed = await claim(deps, { healthy: room, failing: Math.min(room, mostOfFailing - ofFailing) });
      for (const each of claimed) {
        const done = deliver(deps, each, stopping.signal)
          .catch((error: unknown) => deps.log.warn({ err: error, deliveryId: each.id }, 'a webhook was not delivered'))
          .finally(() => {
            underWay.delete(each);
            loop.wake();
          });
        underWay.set(each, done);
      }
    },
  });
  return {
    wake: loop.wake,
    async stop() {
      await loop.stop();
      stopping.abort();
      await Promise.all(underWay.values());
    },
  };
}

/** One round: takes what is due and delivers it. @returns how many were taken */
export async function deliverDue(
  deps: Delivering,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const claimed = await claim(deps, { healthy: mostUnderWay, failing: mostOfFailing });
  await Promise.all(claimed.map((each) => deliver(deps, each, signal)));
  return claimed.length;
}

/** What is taken, with the lease under which it is. */
type Leased = Claimed & { leaseId: string };

async function claim({ database, clock }: Delivering, most: { healthy: number; failing: number }): Promise<Leased[]> {
  const leaseId = newId();
  const now = clock.now();
  return database.withoutCompany(async (tx) => {
    const taken: Leased[] = [];
    for (const failing of [false, true]) {
      const room = failing ? Math.min(most.failing, most.healthy - taken.length) : most.healthy;
      if (room <= 0) continue;
      const claimed = await claimDeliveries(tx, { leaseId, now, most: room, failing });
      taken.push(...claimed.map((each) => ({ ...each, leaseId })));
    }
    return taken;
  });
}

async function deliver(deps: Delivering, claimed: Leased, signal: AbortSignal): Promise<void> {
  const { database, clock, post } = deps;
  const { companyId, id, leaseId } = claimed;
  const found = await database.withCompany(companyId, (tx) => prepare(tx, deps, claimed));
  if (!found) return;
  const { message, headers } = found;
  let outcome: Outcome;
  try {
    outcome = await post({ url: message.url, headers, body: message.body }, signal);
  } catch (error) {
    if (!signal.aborted) throw error;
    await database.withCompany(companyId, (tx) => releaseDelivery(tx, id, leaseId));
    return;
  }
  countAttempt(outcome.problem);
  const at = clock.now();
  await database.withCompany(companyId, (tx) => write(tx, deps, claimed, { outcome, at, headers }));
}

async function prepare(
  tx: Tx,
  { keys, clock }: Delivering,
  { id, leaseId }: Leased,
): Promise<{ message: ToSend; headers: Record<string, string> } | null> {
  const message = await findToSend(tx, id, leaseId);
  if (!message) return null;
  const at = clock.now();
  const sealed = await findSecrets(tx, message.endpointId, at);
  const secrets = sealed.map((each) => openSecret(keys, each, message.endpointId));
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Causeway-Webhooks/1',
    ...signedHeaders(secrets, { messageId: messageIdOf(message.eventId), at, body: message.body }),
  };
  return { message, headers };
}

interface Attempted {
  outcome: Outcome;
  at: Date;
  headers: Record<string, string>;
}

/** Writes down what came of an attempt. An acceptance always counts; a failure leaves alone what another worker has taken since. */
async function write(
  tx: Tx,
  deps: Delivering,
  { id, leaseId }: Leased,
  { outcome, at, headers }: Attempted,
): Promise<void> {
  const { random = Math.random } = deps;
  const { problem } = outcome;
  // In the order in which members' changes lock them.
  const ofEndpoint = await lockedEndpoint(tx, id);
  const delivery = await lockDelivery(tx, id);
  if (!delivery) return;
  const { 'webhook-signature': _, ...shown } = headers;
  await insertAttempt(tx, id, { number: delivery.attempts + 1, at, ...outcome, headers: shown });
  const { off, ...health } = ofEndpoint
    ? healthAfter(ofEndpoint, problem, at, random())
    : { off: null, failures: 0, failingSince: null, pausedUntil: null };
  const counts = delivery.state === 'waiting' && (problem === null || delivery.leaseId === leaseId);
  if (counts) await updateDelivery(tx, id, progressOf(delivery.tries + 1, problem, off !== null, at, random()));
  if (ofEndpoint) {
    await updateHealth(tx, ofEndpoint.id, health, problem === null ? at : null);
    if (off !== null && ofEndpoint.enabled) {
      await turnOff(tx, ofEndpoint, off, { actor: { kind: 'system', id: 'webhooks' }, at });
    }
  }
  await announce(tx, [live('webhook', id)]);
}

/** How a delivery goes on after so many tries. */
function progressOf(
  tries: number,
  problem: WebhookProblem | null,
  isOff: boolean,
  at: Date,
  random: number,
): Parameters<typeof updateDelivery>[2] {
  if (problem === null) return { state: 'delivered', tries, nextAt: null, endedAt: at };
  const pause = isOff ? null : pauseAfter(tries, random);
  if (pause === null) return { state: 'failed', tries, nextAt: null, endedAt: at };
  return { state: 'waiting', tries, nextAt: new Date(at.getTime() + pause), endedAt: null };
}

async function lockedEndpoint(tx: Tx, deliveryId: string) {
  const endpointId = await findEndpointOf(tx, deliveryId);
  return endpointId === null ? null : lockEndpoint(tx, endpointId);
}
