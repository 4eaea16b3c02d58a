import { setTimeout as delay } from 'node:timers/promises';
import { type Contest, contest } from './contest.ts';
import { addBoughtWallets, type Exchanger, keepPricesYoung, quoteBody } from './exchange-world.ts';
import { askQuote } from './http.ts';
import { Connection } from './http-client.ts';
import { startServer } from './server-process.ts';
import type { Stage } from './stage.ts';
import { seedSenders } from './transfer-world.ts';

/**
 * Quotes while pages of an exchange are open, beside quotes while none is. Pages are kept open as `web/src/features/exchange` keeps them: a stream of events, the
 * options once, and a quote that is renewed 4 seconds before it ends. Renewals are spread over a quote's life, as those of people who came one after another are.
 */

interface Watchers {
  /** Opens them all; returns once each has had its first quote. Nothing where they are open. */
  start(): Promise<void>;
  /** Closes them. @throws Error where one of them was refused anything */
  stop(): void;
}

/** Members who ask while the others watch. */
const askers = 100;

export async function contestWatched(
  stage: Stage,
  { pages, inFlight, milliseconds, rounds }: { pages: number; inFlight: number; milliseconds: number; rounds: number },
): Promise<Contest> {
  const server = await startServer(stage);
  let http: Connection[] = [];
  const senders = await seedSenders(stage, { companies: pages + askers, people: 1, reviews: false });
  const exchangers = await addBoughtWallets(stage, senders);
  const watchers = watchersOf(server.port, exchangers.slice(0, pages));
  const asking = exchangers.slice(pages);
  let asked = 0;
  const operation = (worker: number) => {
    asked += 1;
    return askQuote(http[worker], asking[asked % asking.length]);
  };
  const prepare = async (isWatched: boolean) => {
    await keepPricesYoung(stage);
    if (isWatched) await watchers.start();
    else watchers.stop();
    // Those of the turn before were idle for too long.
    for (const connection of http) connection.close();
    http = await Promise.all(Array.from({ length: inFlight }, () => Connection.open(server.port)));
  };
  try {
    return await contest(
      [
        { name: 'quote', operation, prepare: () => prepare(false) },
        { name: 'watched', operation, prepare: () => prepare(true) },
      ],
      { inFlight, milliseconds },
      rounds,
    );
  } finally {
    watchers.stop();
    for (const connection of http) connection.close();
    await server.stop();
  }
}

/** `renewBefore_ms` of the page. */
const renewBeforeMs = 4_000;
/** So many open their page at the same time. */
const atOnce = 16;

function watchersOf(port: number, exchangers: readonly Exchanger[]): Watchers {
  let closing: AbortController | null = null;
  let failure: unknown = null;
  async function renew(one: Exchanger, firstMs: number, signal: AbortSignal): Promise<void> {
    for (let waitMs = firstMs; ; ) {
      await delay(waitMs, undefined, { signal });
      waitMs = await quote(port, one);
    }
  }
  return {
    async start() {
      if (closing !== null) return;
      const closed = new AbortController();
      closing = closed;
      const rest = [...exchangers].values();
      const open = async () => {
        for (const one of rest) {
          const events = await Connection.open(port);
          closed.signal.addEventListener('abort', () => events.close(), { once: true });
          await answered(events, one, 'GET', '/web/events');
          await once(port, (ask) => answered(ask, one, 'GET', '/web/crypto/exchange/options'));
          const lifeMs = await quote(port, one);
          renew(one, Math.random() * lifeMs, closed.signal).catch((error: unknown) => {
            if (!closed.signal.aborted) failure ??= error;
          });
        }
      };
      await Promise.all(Array.from({ length: atOnce }, open));
    },
    stop() {
      closing?.abort();
      closing = null;
      if (failure !== null) throw failure;
    },
  };
}

/** @returns after how many milliseconds the page asks for the next one */
async function quote(port: number, one: Exchanger): Promise<number> {
  const body = await once(port, (ask) => answered(ask, one, 'POST', '/web/crypto/exchange/quote', quoteBody(one)));
  const { data } = JSON.parse(body) as { data: { remainingMs: number } };
  return Math.max(1_000, data.remainingMs - renewBeforeMs);
}

/** A connection of its own: the server has closed an idle one by the next renewal. */
async function once<T>(port: number, ask: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await Connection.open(port);
  try {
    return await ask(connection);
  } finally {
    connection.close();
  }
}

async function answered(
  connection: Connection,
  one: Exchanger,
  method: string,
  path: string,
  body = '',
): Promise<string> {
  const type = body === '' ? {} : { 'content-type': 'application/json' };
  const answer = await connection.request(method, path, { authorization: `Bearer ${one.token}`, ...type }, body);
  if (answer.status !== 200) throw new Error(`${path} answered a watcher ${answer.status}: ${answer.body}`);
  return answer.body;
}
