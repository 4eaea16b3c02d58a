import type { LiveEvent } from '@causeway/contract/live.ts';
import { liveTopics } from '@causeway/contract/live.ts';
import { createClient } from '../database/primary.ts';
import { type Loop, startLoop } from '../jobs/loop.ts';
import { liveChannel } from '../jobs/relay.ts';
import type { Log } from '../process/log.ts';

/**
 * Live updates: the relay notifies, every HTTP process listens, and each open page of the company gets the event. An
 * event says only what has changed; the page asks for it with its own rights. After any gap the page receives an event to ask for
 * everything again, so nothing needs to be kept but what has just changed: a page reads first and listens afterwards, and
 * would miss what comes in between.
 */

const reconnectMs = 1000;
const connectMs = 10_000;
/** A host that vanished without a word is noticed after this and ten probes, a second each. */
const keepAliveAfterMs = 10_000;
/** Whose sessions have ended or whose role has changed: `[company, member]`, announced by triggers (migration 0055). */
const sessionChannel = 'causeway_session';
/** A page listens at most this long after it began to read; a slow one may take longer, and then waits for the next event. */
const openingMs = 10_000;
/** The company of the platform's own rows. */
const nobodysCompany = '00000000-0000-0000-0000-000000000000';

type Listener = (event: LiveEvent) => void;
type Topics = Map<string, Set<LiveEvent['topic']>>;

export class LiveHub {
  readonly #listeners = new Map<string, Set<Listener>>();
  /** By member: checks whether streams of theirs may go on. */
  readonly #checks = new Map<string, Set<() => void>>();
  /** The topics of each company's events: of the running stretch of `openingMs`, and of the one before. */
  #recent: Topics = new Map();
  #before: Topics = new Map();
  #since = performance.now();

  /** Tells the listener at once what has changed in the last moments, and from then on what changes. */
  subscribe(companyId: string, listener: Listener): () => void {
    this.#forgetOld();
    const topics = [this.#recent, this.#before].flatMap((kept) => [
      ...(kept.get(companyId) ?? []),
      ...(kept.get(nobodysCompany) ?? []),
    ]);
    for (const topic of new Set(topics)) listener({ topic, id: null });
    const listeners = this.#listeners.get(companyId) ?? new Set();
    this.#listeners.set(companyId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(companyId);
    };
  }

  /** To the pages of one company; what the platform itself announces is everybody's. */
  publish(companyId: string, event: LiveEvent): void {
    this.#forgetOld();
    this.#recent.set(companyId, (this.#recent.get(companyId) ?? new Set()).add(event.topic));
    const companies = companyId === nobodysCompany ? [...this.#listeners.keys()] : [companyId];
    for (const company of companies) for (const listener of this.#listeners.get(company) ?? []) listener(event);
  }

  /** Calls `check` when a session of the member may have ended, until the returned function is called. */
  watchSessions(userId: string, check: () => void): () => void {
    const checks = this.#checks.get(userId) ?? new Set();
    this.#checks.set(userId, checks.add(check));
    return () => {
      checks.delete(check);
      if (checks.size === 0) this.#checks.delete(userId);
    };
  }

  checkSessions(userId: string): void {
    for (const check of this.#checks.get(userId) ?? []) check();
  }

  #forgetOld(): void {
    const past = performance.now() - this.#since;
    if (past < openingMs) return;
    this.#before = past < 2 * openingMs ? this.#recent : new Map();
    this.#recent = new Map();
    this.#since = performance.now();
  }

  /** After a gap: every page reads everything again, and every session is checked. */
  publishGap(): void {
    for (const companyId of this.#listeners.keys()) {
      for (const topic of liveTopics) this.publish(companyId, { topic, id: null });
    }
    for (const userId of this.#checks.keys()) this.checkSessions(userId);
  }
}

/** Listens for the relay's notifications on a connection of its own, reconnecting for ever. */
export function startLive(databaseUrl: string, hub: LiveHub, log: Log): Loop {
  return startLoop({
    name: 'platform.live',
    everyMs: reconnectMs,
    retry: { firstMs: reconnectMs, mostMs: reconnectMs },
    log,
    step: (signal) => listen(databaseUrl, hub, log, signal),
  });
}

/** Listens on one connection until it ends or `signal` aborts. */
async function listen(databaseUrl: string, hub: LiveHub, log: Log, signal: AbortSignal): Promise<void> {
  const client = createClient(databaseUrl, {
    application_name: 'causeway-live',
    connectionTimeoutMillis: connectMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
  });
  const end = () => client.end().catch(() => undefined);
  const ended = new Promise<void>((resolve) => client.once('end', () => resolve()));
  client.on('error', (error) => log.warn({ err: error }, 'live connection lost'));
  client.on('notification', ({ channel, payload = '[]' }) => deliver(hub, channel, payload));
  signal.addEventListener('abort', end, { once: true });
  try {
    await client.connect();
    await client.query(`listen ${liveChannel}`);
    await client.query(`listen ${sessionChannel}`);
    hub.publishGap();
    await ended;
  } finally {
    signal.removeEventListener('abort', end);
    // A standby takes the connection and refuses to listen.
    await end();
  }
}

function deliver(hub: LiveHub, channel: string, payload: string): void {
  if (channel === sessionChannel) {
    const [, userId] = JSON.parse(payload) as [string, string];
    hub.checkSessions(userId);
    return;
  }
  for (const [companyId, topic, id] of JSON.parse(payload) as [string, LiveEvent['topic'], string | null][]) {
    hub.publish(companyId, { topic, id });
  }
}
