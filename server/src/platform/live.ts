import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveEvent } from '@causeway/contract/live.ts';
import { liveTopics, streamEvents } from '@causeway/contract/live.ts';
import type pg from 'pg';
import { contextOf, type Http, registerStream } from './http.ts';
import type { Log } from './log.ts';
import { createClient } from './primary.ts';
import { liveChannel } from './relay.ts';
import type { SignedInContext } from './session.ts';

/**
 * Live updates: the relay notifies, every HTTP process listens, and each open page of the company gets the event. An
 * event says only what has changed; the page asks for it with its own rights. After any gap the page is told to ask for
 * everything again, so nothing needs to be kept but what has just changed: a page reads first and listens afterwards, and
 * would miss what comes in between.
 */

const heartbeatMs = 15_000;
const reconnectMs = 1000;
const connectMs = 10_000;
/** A host that vanished without a word is noticed after this and ten probes, a second each. */
const keepAliveAfterMs = 10_000;
/** A page listens at most this long after it began to read; a slow one may take longer, and then waits for the next event. */
const openingMs = 10_000;
/** The company that the platform's own rows stand under. */
const nobodysCompany = '00000000-0000-0000-0000-000000000000';

type Listener = (event: LiveEvent) => void;
type Topics = Map<string, Set<LiveEvent['topic']>>;

export class LiveHub {
  readonly #listeners = new Map<string, Set<Listener>>();
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

  #forgetOld(): void {
    const past = performance.now() - this.#since;
    if (past < openingMs) return;
    this.#before = past < 2 * openingMs ? this.#recent : new Map();
    this.#recent = new Map();
    this.#since = performance.now();
  }

  /** After a gap: everybody asks again for everything. */
  publishGap(): void {
    for (const companyId of this.#listeners.keys()) {
      for (const topic of liveTopics) this.publish(companyId, { topic, id: null });
    }
  }
}

/** Listens for the relay's notifications on a connection of its own, reconnecting for ever. */
export function startLive(databaseUrl: string, hub: LiveHub, log: Log): { stop(): Promise<void> } {
  let stopped = false;
  let client: pg.Client | undefined;
  const loop = (async () => {
    while (!stopped) {
      client = createClient(databaseUrl, {
        application_name: 'causeway-live',
        connectionTimeoutMillis: connectMs,
        keepAlive: true,
        keepAliveInitialDelayMillis: keepAliveAfterMs,
      });
      const ended = new Promise<void>((resolve) => client?.once('end', () => resolve()));
      client.on('error', (error) => log.warn({ err: error }, 'live connection lost'));
      client.on('notification', (message) => deliver(hub, message.payload ?? '[]'));
      try {
        await client.connect();
        await client.query(`listen ${liveChannel}`);
        hub.publishGap();
        await ended;
      } catch (error) {
        log.warn({ err: error }, 'live connection could not be made');
        // A standby takes the connection and refuses to listen.
        await client.end().catch(() => undefined);
      }
      if (!stopped) await delay(reconnectMs);
    }
  })();
  return {
    async stop() {
      stopped = true;
      await client?.end().catch(() => undefined);
      await loop;
    },
  };
}

function deliver(hub: LiveHub, payload: string): void {
  for (const [companyId, topic, id] of JSON.parse(payload) as [string, LiveEvent['topic'], string | null][]) {
    hub.publish(companyId, { topic, id });
  }
}

/** `GET /web/events`: server-sent events. The session is checked again at every heartbeat; its end ends the stream. */
export function registerLiveRoutes(http: Http, hub: LiveHub): void {
  const open = new Set<ServerResponse>();
  // Streams never end by themselves; a server that stops would wait for them.
  http.app.addHook('preClose', async () => {
    for (const stream of open) stream.end();
  });
  registerStream(http, streamEvents, async (request, reply) => {
    const context = (await contextOf(http, streamEvents, request)) as SignedInContext;
    reply.hijack();
    const { raw } = reply;
    raw.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
      'x-request-id': request.id,
    });
    let sequence = 0;
    const write = (event: LiveEvent) => raw.write(`id: ${++sequence}\ndata: ${JSON.stringify(event)}\n\n`);
    raw.write('retry: 1000\n\n');
    // A page that was connected before may have missed something in between.
    if (request.headers['last-event-id'] !== undefined) for (const topic of liveTopics) write({ topic, id: null });
    const unsubscribe = hub.subscribe(context.session.companyId, write);
    const heartbeat = setInterval(async () => {
      const alive = await contextOf(http, streamEvents, request).then(
        () => true,
        () => false,
      );
      if (alive) raw.write(': still here\n\n');
      else raw.end();
    }, heartbeatMs);
    open.add(raw);
    raw.once('close', () => {
      open.delete(raw);
      clearInterval(heartbeat);
      unsubscribe();
    });
  });
}
