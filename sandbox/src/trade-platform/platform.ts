import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import * as z from 'zod/mini';
import { readJson, writeDurably } from '../durable-file.ts';
import { SandboxFailure } from '../failure.ts';
import { bodyOf, startHttp } from '../http-service.ts';
import {
  actOn,
  makeTrade,
  type NewTrade,
  type PlatformState,
  type PlatformTrade,
  platformState,
  type ReceivedMessage,
  type SentEvent,
  type TradeAct,
} from './model.ts';
import type { TradeSecrets } from './secrets.ts';

/**
 * A trade platform outside of Causeway: it keeps trades, signs an event for each change of one, and takes what companies confirm
 * (docs/TRADE-PLATFORM.md). What it keeps is on the disk before it answers.
 */

/** failing answers 503, hanging nothing. */
export const PLATFORM_MODES = ['ok', 'failing', 'hanging'] as const;
export type PlatformMode = (typeof PLATFORM_MODES)[number];
/** late: with a time of ten minutes ago; forged: of twice the amount, under another secret. */
export const SENDINGS = ['again', 'late', 'forged'] as const;
export type Sending = (typeof SENDINGS)[number];

export type TradePlatform = {
  url: string;
  mode(): PlatformMode;
  setMode(mode: PlatformMode): void;
  /** The newest first. */
  state(): PlatformState;
  make(wish: NewTrade): Promise<PlatformTrade>;
  /** @throws Error where it makes no sense */
  act(tradeId: string, wish: TradeAct): Promise<PlatformTrade>;
  /** Sends an event now; one that was held is due from then on. @returns the status, or why there is none */
  send(eventId: string, how: Sending): Promise<string>;
  stop(): Promise<void>;
};

export type TradePlatformOptions = {
  dir?: string;
  port?: number;
  secrets: TradeSecrets;
  /** Where events go. */
  eventsUrl: string;
  firstRetryMs?: number;
};

const LARGEST_BODY = 64 * 1024;
const SLOWEST_RETRY_MS = 30_000;
const TIMEOUT_MS = 10_000;
const LATE_MS = 10 * 60_000;
const TICK_MS = 250;

/** @throws SandboxFailure port_taken, damaged */
export async function startTradePlatform(options: TradePlatformOptions): Promise<TradePlatform> {
  const { secrets, eventsUrl, firstRetryMs = 500 } = options;
  const dir = options.dir ?? join(tmpdir(), `trade-platform-${randomUUID()}`);
  await mkdir(dir, { recursive: true, mode: 0o700 });
  const file = join(dir, 'trades.json');
  let state = await readState(file);
  let mode: PlatformMode = 'ok';
  let turn: Promise<unknown> = Promise.resolve();
  const stopping = new AbortController();

  /** One change after another; on the disk when it resolves. */
  function change<Result>(work: (draft: PlatformState) => Result): Promise<Result> {
    const run = async () => {
      const draft = structuredClone(state);
      const result = work(draft);
      await writeDurably(file, JSON.stringify(draft));
      state = draft;
      return result;
    };
    const done = turn.then(run, run);
    turn = done.catch(() => undefined);
    return done;
  }

  async function post(event: SentEvent, body: string, secret: string, at: Date): Promise<string> {
    try {
      const response = await fetch(eventsUrl, {
        method: 'POST',
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'webhook-id': event.id,
          'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
          'webhook-signature': new Webhook(secret).sign(event.id, at, body),
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

  async function deliver(event: SentEvent): Promise<string> {
    const status = await post(event, event.body, secrets.events, new Date());
    await change(({ events }) => {
      const kept = events.find(({ id }) => id === event.id);
      if (kept === undefined) return;
      kept.attempts += 1;
      kept.lastStatus = status;
      if (status === '200') kept.state = 'delivered';
      kept.nextAt = Date.now() + Math.min(firstRetryMs * 2 ** Math.min(kept.attempts - 1, 20), SLOWEST_RETRY_MS);
    });
    return status;
  }

  let delivering: Promise<unknown> = Promise.resolve();
  const timer = setInterval(() => {
    delivering = delivering.then(async () => {
      for (const event of state.events.toReversed()) {
        if (stopping.signal.aborted) return;
        if (event.state === 'due' && event.nextAt <= Date.now()) await deliver(event);
      }
    });
  }, TICK_MS);

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.url === '/readyz') return void response.writeHead(200).end();
    if (request.url !== '/confirmations' || request.method !== 'POST') return void response.writeHead(404).end();
    const body = await bodyOf(request, LARGEST_BODY);
    if (body === null) return void response.destroy();
    if (mode === 'hanging') return;
    if (mode === 'failing') return void response.writeHead(503).end();
    if (!isGenuine(secrets.confirmations, body, request)) {
      await change((draft) => {
        draft.refused += 1;
      });
      return void response.writeHead(401).end();
    }
    await change((draft) => receive(draft, messageOf(request, body)));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{"received":true}');
  }

  const service = await startHttp({
    port: options.port,
    purpose: "the sandbox's trade platform",
    serve: take,
    failed: (response) => void response.destroy(),
  });
  return {
    url: `${service.url}/confirmations`,
    mode: () => mode,
    setMode(next) {
      mode = next;
    },
    state: () => state,
    make: (wish) =>
      change((draft) => {
        const trade = makeTrade(wish);
        draft.trades.unshift(trade);
        draft.events.unshift(eventOf(trade, 'due'));
        return trade;
      }),
    act: (tradeId, wish) =>
      change((draft) => {
        const place = draft.trades.findIndex(({ id }) => id === tradeId);
        const known = draft.trades[place];
        if (known === undefined) throw new Error('there is no such trade');
        const trade = actOn(known, wish, makeDocument);
        draft.trades[place] = wish.act === 'contradict' ? { ...known, version: trade.version } : trade;
        draft.events.unshift(eventOf(trade, wish.hold === true ? 'held' : 'due'));
        return trade;
      }),
    async send(eventId, how) {
      const event = state.events.find(({ id }) => id === eventId);
      if (event === undefined) throw new Error('there is no such event');
      if (how === 'late') return post(event, event.body, secrets.events, new Date(Date.now() - LATE_MS));
      if (how === 'again') return deliver(event);
      const other = `whsec_${randomBytes(32).toString('base64')}`;
      return post({ ...event, id: `msg_${randomUUID()}` }, forged(event.body), other, new Date());
    },
    async stop() {
      clearInterval(timer);
      stopping.abort();
      await service.stop();
      await delivering.catch(() => undefined);
      await turn;
    },
  };
}

async function readState(file: string): Promise<PlatformState> {
  const known = await readJson(file);
  if (known === undefined) return { trades: [], events: [], received: [], refused: 0 };
  const read = z.safeParse(platformState, known);
  if (!read.success) throw new SandboxFailure('damaged', `The file ${file} is damaged: it is no trade platform's.`);
  return read.data;
}

function eventOf(trade: PlatformTrade, state: 'due' | 'held'): SentEvent {
  const body = JSON.stringify({ type: 'trade.updated', timestamp: new Date().toISOString(), data: trade });
  const { id: tradeId, version } = trade;
  return { id: `msg_${randomUUID()}`, tradeId, version, body, state, attempts: 0, nextAt: 0, lastStatus: '' };
}

function makeDocument(name: string, text: string): PlatformTrade['documents'][number] {
  const sha256 = createHash('sha256').update(text).digest('hex');
  return { name, url: `https://trades.example/documents/${sha256.slice(0, 16)}.pdf`, sha256 };
}

/** The same event of twice the amount. */
function forged(body: string): string {
  const event = JSON.parse(body);
  return JSON.stringify({ ...event, data: { ...event.data, quantity: `9${event.data.quantity}` } });
}

function isGenuine(secret: string, body: string, { headers }: IncomingMessage): boolean {
  const given = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
  try {
    new Webhook(secret).verify(body, given);
    return true;
  } catch {
    return false;
  }
}

const message = z.object({ type: z.string(), data: z.object({ tradeId: z.string() }) });

function messageOf(request: IncomingMessage, body: string): ReceivedMessage {
  const { type, data } = z.parse(message, JSON.parse(body));
  const id = String(request.headers['webhook-id'] ?? '');
  return { id, receivedAt: new Date().toISOString(), type, tradeId: data.tradeId, times: 1, body };
}

/** Once by its id, however often it comes: what a company confirmed changes the trade, and both sides get an event of it. */
function receive(draft: PlatformState, received: ReceivedMessage): void {
  const known = draft.received.find(({ id }) => id === received.id);
  if (known !== undefined) {
    known.times += 1;
    return;
  }
  draft.received.unshift(received);
  const place = draft.trades.findIndex(({ id }) => id === received.tradeId);
  const trade = draft.trades[place];
  if (trade === undefined || trade.status === 'success' || trade.status === 'cancelled') return;
  const next = { ...trade, version: trade.version + 1, note: '' };
  const changed: Record<string, PlatformTrade> = {
    'trade.confirmed': { ...next, status: 'in_progress' },
    'trade.declined': { ...next, status: 'cancelled', phase: 'closed' },
    'trade.disputed': { ...next, phase: 'disputed' },
  };
  const after = changed[received.type];
  if (after === undefined) return;
  draft.trades[place] = after;
  draft.events.unshift(eventOf(after, 'due'));
}
