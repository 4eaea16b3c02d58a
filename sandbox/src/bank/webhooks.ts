import { createHmac, randomBytes } from 'node:crypto';
import { isObject, type Json, timeOf } from './api-json.ts';
import { settingsOf, type Turn } from './ledger.ts';
import type { WebhookEvent } from './model.ts';
import type { Reader } from './store.ts';

/**
 * Delivers events of the HTTP bank to the customer's webhook: POST with `x-timestamp` (milliseconds) and `x-signature` (hex
 * HMAC-SHA256 over timestamp and body). Anything but 200 is tried again, later each time.
 */
export type Webhooks = {
  /** Sends what is due now; calls do not overlap. */
  deliver(): Promise<void>;
  /** Sends an event again, whatever became of it. @returns the status, or why there is none */
  again(id: string): Promise<string>;
  /** Sends an event with another amount, signed with another secret, as a forger would. */
  forge(id: string): Promise<string>;
  stop(): Promise<void>;
};

export type WebhookOptions = {
  secret: string;
  read: () => Reader;
  change: <Result>(work: (turn: Turn) => Result) => Promise<Result>;
  firstRetryMs?: number;
  /** Where events go until the desk names another place. */
  usualUrl?: string;
};

const ACCOUNT = 'acct_sandbox_causeway';
const SLOWEST_RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;

export function createWebhooks({
  secret,
  read,
  change,
  firstRetryMs = 1_000,
  usualUrl = '',
}: WebhookOptions): Webhooks {
  const stopping = new AbortController();
  let turn: Promise<void> = Promise.resolve();

  const urlNow = (): string => settingsOf(read()).webhooks.url || usualUrl;

  async function send(body: string, key: string): Promise<string> {
    const url = urlNow();
    const timestamp = String(Date.now());
    try {
      const response = await fetch(url, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'x-timestamp': timestamp,
          'x-signature': signatureOf(key, timestamp, body),
        },
        body,
        signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
      });
      await response.arrayBuffer();
      return String(response.status);
    } catch (error) {
      return error instanceof Error ? error.message : String(error);
    }
  }

  async function deliverDue(): Promise<void> {
    if (urlNow() === '') return;
    for (const event of read().all('webhooks')) {
      if (stopping.signal.aborted) return;
      if (event.state !== 'due' || event.nextAt > Date.now()) continue;
      await record(event.id, await send(bodyOf(event), secret));
    }
  }

  const record = (id: string, status: string): Promise<void> =>
    change((tx) => {
      const event = tx.get('webhooks', id);
      if (event === undefined) return;
      const attempts = event.attempts + 1;
      const wait_ms = Math.min(firstRetryMs * 2 ** (attempts - 1), SLOWEST_RETRY_MS);
      const isDone = status === '200' || event.state === 'delivered';
      const state = isDone ? 'delivered' : event.state;
      tx.put('webhooks', id, { ...event, attempts, state, lastStatus: status, nextAt: Date.now() + wait_ms });
    });

  return {
    deliver() {
      turn = turn.then(deliverDue, deliverDue);
      return turn;
    },
    async again(id) {
      const event = read().get('webhooks', id);
      if (event === undefined) throw new Error('there is no such event');
      const status = await send(bodyOf(event), secret);
      await record(id, status);
      return status;
    },
    async forge(id) {
      const event = read().get('webhooks', id);
      if (event === undefined) throw new Error('there is no such event');
      return send(bodyOf({ ...event, data: forged(event.data) }), randomBytes(32).toString('hex'));
    },
    async stop() {
      stopping.abort();
      await turn.catch(() => undefined);
    },
  };
}

export function signatureOf(secret: string, timestamp: string, body: string): string {
  return createHmac('sha256', secret)
    .update(timestamp + body)
    .digest('hex');
}

/** An event as it is sent. */
export function bodyOf({ id, name, data, createdAt }: Readonly<WebhookEvent>): string {
  return JSON.stringify({ id, name, account_id: ACCOUNT, accountId: ACCOUNT, data, created_at: timeOf(createdAt) });
}

/** The same event with ten times every amount. */
function forged(data: Json): Json {
  return Object.fromEntries(
    Object.entries(data).map(([name, value]) => {
      if (typeof value === 'number') return [name, value * 10];
      return [name, isObject(value) ? forged(value) : value];
    }),
  );
}
