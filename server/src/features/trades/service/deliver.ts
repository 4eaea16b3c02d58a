import { Webhook } from 'standardwebhooks';
import type { Clock } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { type Claimed, claimMessages, endAttempt } from '../store/messages.ts';

/** Confirmations on their way to the trade platform: signed, repeated until they are accepted, of each trade in their order. */
export interface Delivering {
  database: Database;
  clock: Clock;
  log: Log;
  /** Where the platform takes confirmations. */
  url: string;
  /** `whsec_…`: what confirmations are signed with. */
  secret: string;
}

const mostAtOnce = 16;
const timeoutMs = 10_000;
const firstPauseMs = 5000;
const longestPauseMs = 10 * 60_000;

export function startTradeDelivery(deps: Delivering): Loop {
  return startLoop({
    name: 'trades.deliver',
    everyMs: 1000,
    log: deps.log,
    async step() {
      await deliverTradeMessages(deps);
    },
  });
}

/** One round; each message is sent outside of any transaction, and again, with the same id, where its attempt was not written down. @returns how many were taken */
export async function deliverTradeMessages(deps: Delivering): Promise<number> {
  const { database, clock } = deps;
  const leaseId = newId();
  const claimed = await database.withoutCompany((tx) =>
    claimMessages(tx, { leaseId, now: clock.now(), most: mostAtOnce }),
  );
  await Promise.all(claimed.map((message) => deliver(deps, message, leaseId)));
  return claimed.length;
}

async function deliver(deps: Delivering, message: Claimed, leaseId: string): Promise<void> {
  const { database, clock, log } = deps;
  const problem = await send(deps, message);
  if (problem !== null) log.warn({ messageId: message.id, problem }, 'the trade platform did not take a confirmation');
  const at = clock.now();
  const pauseMs = Math.min(firstPauseMs * 2 ** Math.min(message.attempts, 20), longestPauseMs);
  await database.withCompany(message.companyId, async (tx) => {
    await endAttempt(tx, message.id, { leaseId, problem, at, nextAt: new Date(at.getTime() + pauseMs) });
    await announce(tx, [live('trade', null)]);
  });
}

/** @returns why it was not accepted; null: it was */
async function send({ url, secret, clock }: Delivering, { id, body }: Claimed): Promise<string | null> {
  const at = clock.now();
  const messageId = `msg_${id}`;
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(timeoutMs),
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Causeway-Trades/1',
        'webhook-id': messageId,
        'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
        'webhook-signature': new Webhook(secret).sign(messageId, at, body),
      },
    });
    await response.body?.cancel();
    return response.ok ? null : `status ${response.status}`;
  } catch (error) {
    return error instanceof Error && error.name === 'TimeoutError' ? 'timeout' : 'unreachable';
  }
}
