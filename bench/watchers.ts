import { setTimeout as delay } from 'node:timers/promises';
import { type Exchanger, quoteBody } from './exchange-world.ts';
import { Connection } from './http-client.ts';

/**
 * Open pages of an exchange, as `web/src/features/exchange` keeps them: a stream of events, the options once, and a quote that is renewed 4 seconds before it
 * ends. Their renewals are spread over a quote's life, as those of people who came one after another are.
 */
export interface Watchers {
  /** Opens them all; returns once each has had its first quote. Nothing where they are open. */
  start(): Promise<void>;
  /** Closes them. @throws Error where one of them was refused anything */
  stop(): void;
}

/** `renewBefore_ms` of the page. */
const renewBeforeMs = 4_000;
/** So many open their page at the same time. */
const atOnce = 16;

export function watchersOf(port: number, exchangers: readonly Exchanger[]): Watchers {
  let closing: AbortController | null = null;
  let failure: unknown = null;
  async function renew(ask: Connection, one: Exchanger, firstMs: number, signal: AbortSignal): Promise<void> {
    for (let waitMs = firstMs; ; ) {
      await delay(waitMs, undefined, { signal });
      waitMs = await quote(ask, one);
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
          const [events, ask] = [await Connection.open(port), await Connection.open(port)];
          for (const connection of [events, ask]) {
            closed.signal.addEventListener('abort', () => connection.close(), { once: true });
          }
          await answered(events, one, 'GET', '/web/events');
          await answered(ask, one, 'GET', '/web/crypto/exchange/options');
          const lifeMs = await quote(ask, one);
          renew(ask, one, Math.random() * lifeMs, closed.signal).catch((error: unknown) => {
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
async function quote(connection: Connection, one: Exchanger): Promise<number> {
  const body = await answered(connection, one, 'POST', '/web/crypto/exchange/quote', quoteBody(one));
  const { data } = JSON.parse(body) as { data: { remainingMs: number } };
  return Math.max(1_000, data.remainingMs - renewBeforeMs);
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
