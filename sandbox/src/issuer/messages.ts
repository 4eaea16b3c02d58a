import { randomBytes, randomUUID } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { IssuerRefusal, type IssuerStore, type Message, type Subscription, settingsOf, type Tx } from './model.ts';

/**
 * Events on their way to the programme's subscriptions, signed as Standard Webhooks has it. Anything but 2xx is tried again, later each time.
 */
export type Messages = {
  /** Sends what is due; calls do not overlap. */
  deliver(): Promise<void>;
  /** Sends what is held back, the last first where it is to be reversed, and goes on as usual. */
  release(order: 'usual' | 'reversed'): Promise<void>;
  /** @returns the status, or why there is none. @throws IssuerRefusal 404 */
  act(key: string, act: MessageAct): Promise<string>;
  stop(): Promise<void>;
};

/** again sends it as it was; forge with ten times every amount, by another secret; late with a signature of ten minutes ago; lose never. */
export const MESSAGE_ACTS = ['again', 'forge', 'late', 'lose'] as const;
export type MessageAct = (typeof MESSAGE_ACTS)[number];

const SLOWEST_RETRY_MS = 60_000;
const TIMEOUT_MS = 10_000;
const LATE_MS = 10 * 60_000;

/** Queues an event for each subscription that wants it. */
export function announce(tx: Tx, type: string, payload: object, now: number): void {
  const id = `evt_${randomUUID().replaceAll('-', '')}`;
  for (const { token, isDisabled, eventTypes } of tx.all('subscriptions')) {
    if (isDisabled || (eventTypes !== null && !eventTypes.includes(type))) continue;
    const body = { ...payload, event_type: type };
    const sending = { state: 'due' as const, attempts: 0, nextAt: now, lastStatus: null };
    tx.put('messages', `${id}.${token}`, { id, type, payload: body, createdAt: now, ...sending });
  }
}

export function createMessages(store: IssuerStore, firstRetryMs: number): Messages {
  const stopping = new AbortController();
  let turn: Promise<void> = Promise.resolve();

  async function send(
    key: string,
    message: Readonly<Message>,
    altered: { secret?: string; body?: unknown; at?: number } = {},
  ) {
    const subscription = subscriptionOf(key);
    if (subscription === undefined) return 'there is no subscription';
    const { secret = subscription.secret, body = message.payload, at = Date.now() } = altered;
    return post(subscription.url, { id: message.id, secrets: [secret], body: JSON.stringify(body), at, stopping });
  }

  const subscriptionOf = (key: string): Readonly<Subscription> | undefined =>
    store.get('subscriptions', key.slice(key.indexOf('.') + 1));

  async function deliverDue(keys: readonly string[]): Promise<void> {
    for (const key of keys) {
      if (stopping.signal.aborted) return;
      const message = store.get('messages', key);
      if (message === undefined || message.state !== 'due' || message.nextAt > Date.now()) continue;
      await note(key, await send(key, message));
    }
  }

  const note = (key: string, status: string): Promise<void> =>
    store.change((tx) => {
      const message = tx.get('messages', key);
      if (message === undefined) return;
      const attempts = message.attempts + 1;
      const wait_ms = Math.min(firstRetryMs * 2 ** (attempts - 1), SLOWEST_RETRY_MS);
      const isDone = /^2\d\d$/.test(status) || message.state === 'delivered';
      const state = isDone ? 'delivered' : message.state;
      tx.put('messages', key, { ...message, attempts, state, lastStatus: status, nextAt: Date.now() + wait_ms });
    });

  const keysOf = (): string[] => store.keys('messages').filter((key) => store.get('messages', key)?.state === 'due');

  const queue = (work: () => Promise<void>): Promise<void> => {
    turn = turn.then(work, work);
    return turn;
  };

  return {
    deliver: () =>
      queue(async () => {
        if (settingsOf(store).delivery === 'on') await deliverDue(keysOf());
      }),
    async release(order) {
      await queue(() => deliverDue(order === 'reversed' ? keysOf().reverse() : keysOf()));
      await store.change((tx) => tx.put('settings', 'now', { ...settingsOf(tx), delivery: 'on' }));
    },
    async act(key, act) {
      const message = store.get('messages', key);
      if (message === undefined) throw new IssuerRefusal(404, 'Could not find event.');
      if (act === 'forge') return send(key, message, { secret: newSecret(), body: tenfold(message.payload) });
      if (act === 'late') return send(key, message, { at: Date.now() - LATE_MS });
      if (act === 'lose') {
        await store.change((tx) => tx.put('messages', key, { ...message, state: 'lost' }));
        return 'lost';
      }
      const status = await send(key, message);
      await note(key, status);
      return status;
    },
    async stop() {
      stopping.abort();
      await turn.catch(() => undefined);
    },
  };
}

export function newSecret(): string {
  return `whsec_${randomBytes(24).toString('base64')}`;
}

/** The three headers of Standard Webhooks; several secrets sign beside each other while one is being changed. */
export function signed(id: string, at: number, body: string, secrets: readonly string[]): Record<string, string> {
  const moment = new Date(at);
  return {
    'content-type': 'application/json',
    'user-agent': 'sandbox-issuer/1',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at / 1000)),
    'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(id, moment, body)).join(' '),
  };
}

async function post(
  url: string,
  message: { id: string; secrets: readonly string[]; body: string; at: number; stopping: AbortController },
): Promise<string> {
  const { id, at, body, secrets, stopping } = message;
  try {
    const response = await fetch(url, {
      method: 'POST',
      redirect: 'manual',
      headers: signed(id, at, body, secrets),
      body,
      signal: AbortSignal.any([stopping.signal, AbortSignal.timeout(TIMEOUT_MS)]),
    });
    await response.arrayBuffer();
    return String(response.status);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

/** The same with ten times every amount. */
function tenfold(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(tenfold);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, typeof each === 'number' ? each * 10 : tenfold(each)]),
  );
}
