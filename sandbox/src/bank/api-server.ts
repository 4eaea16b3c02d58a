import { createHash, randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isForeign } from '../http-listen.ts';
import { sendHalf, sendJson, startHttp } from '../http-service.ts';
import { createBeneficiary, shownBeneficiary, validateBeneficiary, verifyAccount } from './api-beneficiaries.ts';
import {
  closeGlobalAccount,
  createDeposit,
  createGlobalAccount,
  globalAccountAt,
  rejectDeposit,
  reverseDeposit,
  settleDeposit,
  shownDeposit,
  shownGlobalAccount,
} from './api-deposits.ts';
import {
  ApiError,
  INTERNAL_ERROR,
  isSame,
  type Json,
  jsonAmount,
  objectIn,
  refusalIn,
  text,
  timeOf,
} from './api-json.ts';
import { cancelTransfer, createTransfer, shownTransfer, transition, validateTransfer } from './api-transfers.ts';
import { amountText } from './catalogue.ts';
import { available, type Turn } from './ledger.ts';
import type { Reader } from './store.ts';

/**
 * Meridian Payments' HTTP API: Airwallex's public one (version 2025-06-30) as far as a company uses it to receive and pay.
 * Simulation calls are part of it, as in the vendor's own sandbox.
 */

/**
 * down: nothing listens. slow: answers are late. mute: requests are carried out, and the connection is closed without an answer. half: the
 * same, after half an answer. failing: every answer is an error of the server, and nothing is carried out.
 */
export const API_MODES = ['ok', 'down', 'slow', 'mute', 'half', 'failing'] as const;
export type ApiMode = (typeof API_MODES)[number];

export type ApiServer = {
  readonly port: number;
  readonly url: string;
  mode(): ApiMode;
  setMode(mode: ApiMode, delayMs?: number): Promise<void>;
  stop(): Promise<void>;
};

export type ApiOptions = {
  port: number;
  clientId: string;
  apiKey: string;
  read: () => Reader;
  /** One change of the bank's records, with what follows from it. */
  change: <Result>(work: (turn: Turn) => Result) => Promise<Result>;
};

type Call = { path: string; query: URLSearchParams; body: Json };
type Answer = { status: number; body: unknown };
type Route = { pattern: RegExp; method: string; run: (call: Call, id: string) => Promise<Answer> | Answer };

const TOKEN_MS = 30 * 60_000;
const SLOW_MS = 5_000;

/** @throws SandboxFailure port_taken */
export async function startApi(options: ApiOptions): Promise<ApiServer> {
  const tokens = new Map<string, number>();
  const routes = routesOf(options);
  let mode: ApiMode = 'ok';
  let delay_ms = SLOW_MS;
  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (mode === 'failing') return sendJson(response, 500, INTERNAL_ERROR);
    const answer = await answerOf(request).catch(refusalIn);
    if (mode === 'mute') {
      request.socket.destroy();
      return;
    }
    if (mode === 'half') return sendHalf(response, answer.status, answer.body);
    if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, delay_ms));
    sendJson(response, answer.status, answer.body);
  }

  async function answerOf(request: IncomingMessage): Promise<Answer> {
    if (isForeign(request)) throw new ApiError(403, 'forbidden', 'Only for programs on this machine.');
    const url = new URL(request.url ?? '/', 'http://bank');
    if (url.pathname === '/readyz') return { status: 200, body: { status: 'ready' } };
    const body = await objectIn(request);
    if (url.pathname === '/api/v1/authentication/login') return login(request);
    const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
    if ((tokens.get(token) ?? 0) < Date.now())
      throw new ApiError(401, 'credentials_invalid', 'The access token is missing or has expired.');
    for (const route of routes) {
      const match = route.pattern.exec(url.pathname);
      if (match === null || route.method !== request.method) continue;
      return route.run({ path: url.pathname, query: url.searchParams, body }, decodeURIComponent(match[1] ?? ''));
    }
    throw new ApiError(404, 'not_found', 'The requested endpoint does not exist.');
  }

  function login(request: IncomingMessage): Answer {
    const { 'x-client-id': client, 'x-api-key': key } = request.headers;
    if (client !== options.clientId || typeof key !== 'string' || !isSame(key, options.apiKey))
      throw new ApiError(401, 'credentials_invalid', 'The client id or API key is not valid.');
    for (const [known, until] of tokens) if (until < Date.now()) tokens.delete(known);
    const token = randomBytes(32).toString('base64url');
    tokens.set(token, Date.now() + TOKEN_MS);
    return { status: 201, body: { token, expires_at: timeOf(Date.now() + TOKEN_MS) } };
  }

  const service = await startHttp({
    port: options.port,
    purpose: "the sandbox's bank with an HTTP API",
    serve,
    failed(response, error) {
      console.error('the HTTP bank failed:', error);
      sendJson(response, 500, INTERNAL_ERROR);
    },
  });
  return {
    port: service.port,
    url: service.url,
    mode: () => mode,
    async setMode(next, delayMs = SLOW_MS) {
      await service.setDown(next === 'down');
      mode = next;
      delay_ms = delayMs;
    },
    stop: () => service.stop(),
  };
}

function routesOf({ read, change }: ApiOptions): Route[] {
  /** Creates once for each request id; the same request again gets the same object, another one with its id is refused. */
  const create = (
    call: Call,
    make: (turn: Turn) => string,
    shown: (records: Reader, id: string) => Json,
  ): Promise<Answer> =>
    change((turn) => {
      const requestId = text(call.body, 'request_id', 50, '');
      const key = `${call.path} ${requestId}`;
      const digest = createHash('sha256').update(JSON.stringify(call.body)).digest('hex');
      const known = requestId === '' ? undefined : turn.get('requests', key);
      if (known !== undefined && known.digest !== digest)
        throw new ApiError(400, 'duplicate_request', 'request_id was used for another request.', 'request_id');
      const id = known?.id ?? make(turn);
      if (known === undefined && requestId !== '') turn.put('requests', key, { path: call.path, digest, id });
      return { status: 201, body: shown(turn, id) };
    });
  const ok = (body: unknown): Answer => ({ status: 200, body });
  const act = async (work: (turn: Turn) => unknown): Promise<Answer> => ok((await change(work)) ?? true);
  const at = (pattern: string): RegExp => new RegExp(`^/api/v1/${pattern.replace('{id}', '([^/]+)')}$`);
  const get = (pattern: string, run: Route['run']): Route => ({ method: 'GET', pattern: at(pattern), run });
  const post = (pattern: string, run: Route['run']): Route => ({ method: 'POST', pattern: at(pattern), run });
  const globalAccount = (records: Reader, id: string) => shownGlobalAccount(globalAccountAt(records, id));
  const depositAt = (records: Reader, id: string): Json => {
    const deposit = records.get('deposits', id);
    if (deposit === undefined) throw new ApiError(404, 'not_found', 'There is no such deposit.');
    return shownDeposit(deposit);
  };
  return [
    post('global_accounts/create', (call) =>
      create(call, (turn) => createGlobalAccount(turn, call.body), globalAccount),
    ),
    get('global_accounts', ({ query }) => {
      const named = read()
        .all('globalAccounts')
        .filter(({ nickName }) => nickName === (query.get('nick_name') ?? nickName));
      return ok(page(named.map(shownGlobalAccount), query));
    }),
    get('global_accounts/{id}', (_, id) => ok(globalAccount(read(), id))),
    post('global_accounts/{id}/close', (_, id) =>
      act((turn) => {
        closeGlobalAccount(turn, id);
        return globalAccount(turn, id);
      }),
    ),
    get('deposits', ({ query }) => ok(page(newestFirst(read().all('deposits'), query).map(shownDeposit), query))),
    get('deposits/{id}', (_, id) => ok(depositAt(read(), id))),
    get('balances/current', () => ok(balances(read()))),
    post('beneficiaries/create', (call) =>
      create(call, (turn) => createBeneficiary(turn, call.body), shownBeneficiary),
    ),
    post('beneficiaries/validate', ({ body }) => ok(validateBeneficiary(read(), body))),
    post('beneficiaries/verify_account', ({ body }) => ok(verifyAccount(read(), body))),
    get('beneficiaries', ({ query }) =>
      ok(
        page(
          read()
            .all('beneficiaries')
            .map(({ id }) => shownBeneficiary(read(), id)),
          query,
        ),
      ),
    ),
    get('beneficiaries/{id}', (_, id) => ok(shownBeneficiary(read(), id))),
    post('transfers/create', (call) => {
      text(call.body, 'request_id', 50);
      return create(call, (turn) => createTransfer(turn, call.body), shownTransfer);
    }),
    post('transfers/validate', ({ body }) => ok(validateTransfer(read(), body))),
    get('transfers', ({ query }) => ok(transferPage(read(), query))),
    get('transfers/{id}', (_, id) => ok(shownTransfer(read(), id))),
    post('transfers/{id}/cancel', (_, id) => act((turn) => cancelTransfer(turn, id))),
    post('simulation/transfers/{id}/transition', ({ body }, id) =>
      act((turn) => {
        transition(turn, id, body);
        return shownTransfer(turn, id);
      }),
    ),
    post('simulation/deposit/create', (call) => simulateDeposit(call, create)),
    post('simulation/deposits/{id}/settle', (_, id) => act((turn) => settleDeposit(turn, id))),
    post('simulation/deposits/{id}/reject', (_, id) => act((turn) => rejectDeposit(turn, id))),
    post('simulation/deposits/{id}/reverse', (_, id) => act((turn) => reverseDeposit(turn, id))),
  ];
}

type Create = (
  call: Call,
  make: (turn: Turn) => string,
  shown: (records: Reader, id: string) => Json,
) => Promise<Answer>;

function simulateDeposit(call: Call, create: Create): Promise<Answer> {
  const { body } = call;
  const status = text(body, 'status', 10, 'SETTLED');
  if (status !== 'PENDING' && status !== 'SETTLED' && status !== 'REJECTED')
    throw new ApiError(400, 'invalid_argument', 'status must be PENDING, SETTLED or REJECTED.', 'status');
  const payer = {
    name: text(body, 'payer_name', 140, 'Simulated payer'),
    country: text(body, 'payer_country', 2, '') || undefined,
  };
  const make = (turn: Turn): string =>
    createDeposit(turn, {
      globalAccount: text(body, 'global_account_id', 50),
      amount: String(body['amount']),
      payer,
      reference: text(body, 'reference', 140, ''),
      status,
    });
  return create(call, make, (records, id) => {
    const deposit = records.get('deposits', id);
    return {
      id,
      amount: jsonAmount(deposit?.amount ?? '0'),
      currency: deposit?.currency,
      status: deposit?.status,
      payer_name: payer.name,
      reference: deposit?.reference,
      create_time: timeOf(deposit?.createdAt ?? 0),
    };
  });
}

function balances(records: Reader): Json[] {
  const accounts = records.all('accounts').filter(({ bank, kind }) => bank === 'meridian' && kind === 'customer');
  return accounts.map((account) => {
    const figure = (minor: bigint): number => jsonAmount(amountText(minor, account.currency));
    return {
      currency: account.currency,
      total_amount: figure(BigInt(account.balance)),
      available_amount: figure(available(account)),
      pending_amount: 0,
      reserved_amount: figure(BigInt(account.held)),
    };
  });
}

function page(items: readonly unknown[], query: URLSearchParams): Json {
  const size = Math.min(Number(query.get('page_size') ?? 100) || 100, 1000);
  const from = (Number(query.get('page_num') ?? 0) || 0) * size;
  return { items: items.slice(from, from + size), has_more: items.length > from + size };
}

function newestFirst<Item extends { createdAt: number }>(items: readonly Item[], query: URLSearchParams): Item[] {
  const from = Date.parse(query.get('from_created_at') ?? '') || 0;
  const to = Date.parse(query.get('to_created_at') ?? '') || Number.POSITIVE_INFINITY;
  return items.filter(({ createdAt }) => createdAt >= from && createdAt <= to).reverse();
}

/** Pages by cursor, as the vendor has them for transfers. */
function transferPage(records: Reader, query: URLSearchParams): Json {
  const wanted: [string, string][] = ['request_id', 'status', 'short_reference_id', 'transfer_currency'].flatMap(
    (name) => {
      const value = query.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    },
  );
  const found = newestFirst(records.all('transfers'), query)
    .map(({ id }) => shownTransfer(records, id))
    .filter((transfer) => wanted.every(([name, value]) => transfer[name] === value));
  const size = Math.min(Number(query.get('page_size') ?? 100) || 100, 1000);
  const from = Number(query.get('page') ?? 0) || 0;
  return {
    items: found.slice(from, from + size),
    ...(found.length > from + size ? { page_after: String(from + size) } : {}),
  };
}
