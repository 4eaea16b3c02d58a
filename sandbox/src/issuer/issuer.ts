import { randomUUID, timingSafeEqual } from 'node:crypto';
import { mkdir, mkdtemp } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isForeign } from '../http-listen.ts';
import { bodyOf, sendHalf, sendJson, startHttp } from '../http-service.ts';
import { openRecordStore } from '../record-store.ts';
import { PROGRAMS, type Program } from './currencies.ts';
import { framePage } from './embed.ts';
import { createEngine, type Engine, prepare } from './engine.ts';
import { createMessages, type Messages } from './messages.ts';
import { type Collections, IssuerRefusal, type IssuerStore, settingsOf } from './model.ts';
import { routeOf } from './routes.ts';
import { issuerSecrets, keepSecret } from './secrets.ts';

/**
 * The sandbox's issuer of cards: Lithic's published API (SDK 0.145.0) as far as the product and its tests use it: cards, the frame that shows a number, Auth Stream
 * Access, events, and the calls that simulate a merchant. Numbers are of the networks' test ranges.
 */

/**
 * down: nothing listens. slow: requests are carried out late, and answered. mute: they are carried out, and the connection is closed without an answer. lost: they are
 * neither carried out nor answered. half: half an answer. failing: an error of the server, and nothing is carried out. limited: too many requests.
 */
export const ISSUER_MODES = ['ok', 'down', 'slow', 'mute', 'lost', 'half', 'failing', 'limited'] as const;
export type IssuerMode = (typeof ISSUER_MODES)[number];

export type IssuerServer = {
  readonly port: number;
  readonly url: string;
  readonly dir: string;
  readonly apiKey: string;
  /** The card programmes, one for each currency that is billed in. */
  readonly programs: readonly Program[];
  readonly store: IssuerStore;
  readonly engine: Engine;
  readonly messages: Messages;
  mode(): IssuerMode;
  setMode(mode: IssuerMode, delayMs?: number): Promise<void>;
  asaTimeoutMs(): number;
  setAsaTimeoutMs(ms: number): void;
  stop(): Promise<void>;
};

export type IssuerOptions = {
  /** Without it, a new folder that is forgotten. */
  dir?: string;
  port?: number;
  /** The programme's responder and where it takes events; null leaves what was set. */
  responderUrl?: string | null;
  eventsUrl?: string | null;
  /** How long an answer of the responder is waited for; then the purchase is declined. Default 6,000, as the vendor has it. */
  asaTimeoutMs?: number;
  /** How often holds and events are looked at; 0: by `engine.tick` and `messages.deliver` alone. Default 500. */
  tickMs?: number;
  firstRetryMs?: number;
};

const SLOW_MS = 5_000;
const LARGEST_BODY = 100_000;
const FRAME_HEADERS = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
};

/** @throws SandboxFailure port_taken, damaged */
export async function startIssuer(options: IssuerOptions = {}): Promise<IssuerServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'causeway-issuer-')));
  await mkdir(dir, { recursive: true });
  const secrets = await issuerSecrets(dir);
  const { apiKey } = secrets;
  const store = await openRecordStore<Collections>(join(dir, 'books'), 'the issuer');
  await prepare(store, {
    responderUrl: options.responderUrl ?? null,
    eventsUrl: options.eventsUrl ?? null,
    secrets,
  });
  let asaTimeoutMs = options.asaTimeoutMs ?? 6_000;
  const engine = createEngine(store, () => asaTimeoutMs);
  const messages = createMessages(store, options.firstRetryMs ?? 1_000);
  let mode: IssuerMode = 'ok';
  let delayMs = SLOW_MS;

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://issuer');
    if (isForeign(request)) return sendJson(response, 403, { message: 'Only for this machine.' });
    if (url.pathname === '/readyz') return sendJson(response, 200, { status: 'ready' });
    if (url.pathname === '/v1/embed/card') return showFrame(request, response, url);
    if (mode === 'lost') return void request.socket.destroy();
    if (mode === 'failing') return refuse(response, new IssuerRefusal(500, 'Internal error.'));
    if (mode === 'limited') return refuse(response, new IssuerRefusal(429, 'Too many requests.'));
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, delayMs));
    const answer = await answerOf(request, url);
    if (mode === 'mute') return void request.socket.destroy();
    if (mode === 'half') return sendHalf(response, 200, answer);
    sendJson(response, 200, answer);
  }

  async function answerOf(request: IncomingMessage, url: URL): Promise<unknown> {
    if (!isSame(request.headers.authorization ?? '', apiKey)) throw new IssuerRefusal(401, 'API key is not valid.');
    const method = request.method ?? 'GET';
    const found = routeOf(method, url.pathname);
    if (found === undefined) throw new IssuerRefusal(404, 'Resource not found.');
    const key = request.headers['idempotency-key'];
    const body = method === 'GET' ? undefined : await jsonIn(request);
    const idempotencyKey = typeof key === 'string' ? key : undefined;
    const answer = await found.route(
      { store, engine, keepSecrets },
      { method, path: url.pathname, query: url.searchParams, body, idempotencyKey },
      found.token,
    );
    // Events leave at once, so that nothing has to wait for the clock.
    void messages.deliver();
    return { ...(answer as object), debugging_request_id: randomUUID() };
  }

  function showFrame(request: IncomingMessage, response: ServerResponse, url: URL): void {
    const languages = request.headers['accept-language'] ?? '';
    const { html, css } = framePage(store, { query: url.searchParams, apiKey, languages, now: Date.now() });
    const styles = css === undefined ? "'unsafe-inline'" : `'unsafe-inline' ${new URL(css).origin}`;
    const policy = `default-src 'none'; style-src ${styles}; base-uri 'none'; form-action 'none'`;
    response.writeHead(200, { ...FRAME_HEADERS, 'content-security-policy': policy }).end(html);
  }

  const service = await startHttp({
    port: options.port,
    purpose: "the sandbox's issuer of cards",
    serve,
    failed(response, error) {
      if (!(error instanceof IssuerRefusal)) console.error("the sandbox's issuer failed:", error);
      refuse(response, error instanceof IssuerRefusal ? error : new IssuerRefusal(500, 'Internal error.'));
    },
  });
  const tickMs = options.tickMs ?? 500;
  const tick = (): Promise<void> => engine.tick().then(() => messages.deliver());
  const ticking =
    tickMs > 0 ? setInterval(() => tick().catch((error: unknown) => console.error(error)), tickMs) : undefined;
  const keepSecrets = async (): Promise<void> => {
    await keepSecret(dir, 'responder', settingsOf(store).responderSecret);
    const events = store.all('subscriptions')[0]?.secret;
    if (events !== undefined) await keepSecret(dir, 'events', events);
  };
  return {
    port: service.port,
    url: service.url,
    dir,
    apiKey,
    programs: PROGRAMS,
    store,
    engine,
    messages,
    mode: () => mode,
    async setMode(next, delay = SLOW_MS) {
      await service.setDown(next === 'down');
      [mode, delayMs] = [next, delay];
    },
    asaTimeoutMs: () => asaTimeoutMs,
    setAsaTimeoutMs(ms) {
      asaTimeoutMs = ms;
    },
    async stop() {
      clearInterval(ticking);
      await service.stop();
      await messages.stop();
      await store.close();
    },
  };
}

function isSame(given: string, own: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(own)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** @throws IssuerRefusal 400, 413 */
async function jsonIn(request: IncomingMessage): Promise<unknown> {
  const text = await bodyOf(request, LARGEST_BODY);
  if (text === null) throw new IssuerRefusal(413, 'The body is too large.');
  if (text === '') return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new IssuerRefusal(400, 'The body is not JSON.');
  }
}

function refuse(response: ServerResponse, { status, message }: IssuerRefusal): void {
  sendJson(response, status, { message, debugging_request_id: randomUUID() });
}
