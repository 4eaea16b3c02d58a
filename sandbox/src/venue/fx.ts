import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ApiError,
  INTERNAL_ERROR,
  isObject,
  isSame,
  type Json,
  jsonAmount,
  objectIn,
  refusalIn,
  text,
  timeOf,
} from '../bank/api-json.ts';
import { writeDurably } from '../durable-file.ts';
import { isForeign } from '../http-listen.ts';
import { sendJson, startHttp } from '../http-service.ts';
import { type Journal, openJournal } from '../journal.ts';
import { cut, fixed, fixedText, product, quotient } from './fixed.ts';

/**
 * The platform's own account at Meridian Payments: Airwallex's public API (version 2025-06-30) as far as currencies are exchanged there (`fx/quotes`, `fx/conversions`,
 * balances). It is apart from the account that holds companies' money, with a key of its own.
 */

/**
 * As those of the bank's API: mute carries out and does not answer, lost does neither, refusing takes no conversions. Scheduling books conversions and does not settle them:
 * what becomes of each is said later (`moveOn`).
 */
export const FX_MODES = ['ok', 'mute', 'lost', 'failing', 'refusing', 'scheduling'] as const;
export type FxMode = (typeof FX_MODES)[number];

export const FX_CLIENT_ID = 'sandbox-causeway-treasury';
const START = {
  USD: '5000000',
  HKD: '20000000',
  EUR: '2000000',
  GBP: '1000000',
  SGD: '2000000',
  CNY: '10000000',
  JPY: '300000000',
};
/** What the bank adds to the middle rate, and takes at least, in US dollars. */
const SPREAD_BASIS_POINTS = 15n;
const LEAST_USD = fixed('10');
const QUOTE_MS = 60_000;
const TOKEN_MS = 30 * 60_000;

interface Deal {
  sellCurrency: string;
  sellAmount: string;
  buyCurrency: string;
  buyAmount: string;
  dealt: string;
}
/** The vendor's words: the first two go over into the others, which are the end. */
export type ConversionStatus = 'SCHEDULED' | 'OVERDUE' | 'SETTLED' | 'CANCELLED';
type Conversion = Deal & {
  id: string;
  requestId: string;
  quoteId: string | null;
  at: number;
  status: ConversionStatus;
};
/** Without a status: of an earlier version, which settled at once. */
type Kept = Omit<Conversion, 'status'> & { status?: ConversionStatus };

export type FxServer = {
  readonly url: string;
  readonly apiKeyFile: string;
  readonly conversions: ReadonlyMap<string, Conversion>;
  balance(currency: string): string;
  setMode(mode: FxMode): void;
  /** What becomes of a conversion that is booked and not settled. */
  moveOn(requestId: string, status: Exclude<ConversionStatus, 'SCHEDULED'>): Promise<void>;
  stop(): Promise<void>;
};

export type FxOptions = {
  dir?: string;
  port?: number;
  /** US dollars for one unit of a currency, a plain decimal. */
  dollarsOf: (currency: string) => string;
};

/** @throws SandboxFailure port_taken, damaged */
export async function startFx(options: FxOptions): Promise<FxServer> {
  const dir = options.dir ?? (await mkdtemp(join(tmpdir(), 'causeway-fx-')));
  await mkdir(dir, { recursive: true });
  const apiKeyFile = join(dir, 'fx-api-key');
  const apiKey = await keptKey(apiKeyFile);
  const journal: Journal<Kept> = await openJournal(join(dir, 'fx.journal'), isConversion);
  const conversions = new Map<string, Conversion>();
  const balances = new Map(Object.entries(START).map(([currency, amount]) => [currency, fixed(amount)]));
  const quotes = new Map<string, Deal & { until: number }>();
  const tokens = new Set<string>();
  let mode: FxMode = 'ok';
  let writing: Promise<unknown> = Promise.resolve();

  const apply = (conversion: Conversion): void => {
    const { id, sellCurrency, sellAmount, buyCurrency, buyAmount, status } = conversion;
    conversions.set(id, conversion);
    if (status !== 'SETTLED') return;
    balances.set(sellCurrency, (balances.get(sellCurrency) ?? 0n) - fixed(sellAmount));
    balances.set(buyCurrency, (balances.get(buyCurrency) ?? 0n) + fixed(buyAmount));
  };
  for (const entry of journal.entries) apply({ ...entry, status: entry.status ?? 'SETTLED' });

  function priced(body: Json): Deal {
    const [sellCurrency, buyCurrency] = [text(body, 'sell_currency', 3), text(body, 'buy_currency', 3)];
    for (const [name, currency] of [
      ['sell_currency', sellCurrency],
      ['buy_currency', buyCurrency],
    ] as const)
      if (!balances.has(currency)) throw new ApiError(400, 'invalid_argument', `${currency} is not offered.`, name);
    const isSell = body['sell_amount'] !== undefined;
    if (isSell === (body['buy_amount'] !== undefined) || sellCurrency === buyCurrency)
      throw new ApiError(400, 'invalid_argument', 'Give either sell_amount or buy_amount.', 'sell_amount');
    const name = isSell ? 'sell_amount' : 'buy_amount';
    const given = amountAt(body, name, isSell ? sellCurrency : buyCurrency);
    const [sellUsd, buyUsd] = [fixed(options.dollarsOf(sellCurrency)), fixed(options.dollarsOf(buyCurrency))];
    const mid = quotient(sellUsd, buyUsd);
    const rate = mid - (mid * SPREAD_BASIS_POINTS) / 10_000n;
    if (product(given, isSell ? sellUsd : buyUsd) < LEAST_USD)
      throw new ApiError(400, 'amount_below_limit', 'A conversion is of at least 10 USD.', name);
    const other = isSell
      ? cut(product(given, rate), placesOf(buyCurrency))
      : upTo(quotient(given, rate), placesOf(sellCurrency));
    const [sell, buy] = isSell ? [given, other] : [other, given];
    return {
      sellCurrency,
      sellAmount: fixedText(sell),
      buyCurrency,
      buyAmount: fixedText(buy),
      dealt: isSell ? sellCurrency : buyCurrency,
    };
  }

  function createQuote(body: Json): Json {
    const id = randomUUID();
    const deal = { ...priced(body), until: Date.now() + QUOTE_MS };
    quotes.set(id, deal);
    const validity = text(body, 'validity', 10);
    return {
      quote_id: id,
      ...shownDeal(deal),
      usage: 'SINGLE_USE',
      validity,
      valid_from_at: timeOf(Date.now()),
      valid_to_at: timeOf(deal.until),
    };
  }

  function convert(body: Json): Promise<Conversion> {
    const work = writing.then(async () => {
      const requestId = text(body, 'request_id', 50);
      const known = [...conversions.values()].find((one) => one.requestId === requestId);
      if (known) return known;
      if (mode === 'refusing') throw new ApiError(400, 'account_restricted', 'Conversions are not possible now.');
      const quoteId = text(body, 'quote_id', 50, '');
      const quote = quotes.get(quoteId);
      if (quoteId !== '' && (quote === undefined || quote.until < Date.now()))
        throw new ApiError(400, 'quote_expired', 'The quote has expired.', 'quote_id');
      const deal = quote ?? priced(body);
      if ((balances.get(deal.sellCurrency) ?? 0n) < fixed(deal.sellAmount))
        throw new ApiError(400, 'insufficient_balance', `There is not so much ${deal.sellCurrency}.`, 'sell_amount');
      const { sellCurrency, sellAmount, buyCurrency, buyAmount, dealt } = deal;
      const made = {
        sellCurrency,
        sellAmount,
        buyCurrency,
        buyAmount,
        dealt,
        id: randomUUID(),
        requestId,
        quoteId: quoteId || null,
        at: Date.now(),
        status: mode === 'scheduling' ? ('SCHEDULED' as const) : ('SETTLED' as const),
      };
      await journal.append(made);
      quotes.delete(quoteId);
      apply(made);
      return made;
    });
    writing = work.catch(() => undefined);
    return work;
  }

  function moveOn(requestId: string, status: ConversionStatus): Promise<void> {
    const work = writing.then(async () => {
      const known = [...conversions.values()].find((one) => one.requestId === requestId);
      if (known?.status !== 'SCHEDULED' && known?.status !== 'OVERDUE')
        throw new Error(`${requestId} is no conversion that is not settled`);
      const moved = { ...known, status };
      await journal.append(moved);
      apply(moved);
    });
    writing = work.catch(() => undefined);
    return work;
  }

  async function answerOf(request: IncomingMessage): Promise<{ status: number; body: unknown }> {
    if (isForeign(request)) throw new ApiError(403, 'forbidden', 'Only for programs on this machine.');
    const url = new URL(request.url ?? '/', 'http://fx');
    if (url.pathname === '/readyz') return { status: 200, body: { status: 'ready' } };
    const body = await objectIn(request);
    if (url.pathname === '/api/v1/authentication/login') {
      const { 'x-client-id': client, 'x-api-key': key } = request.headers;
      if (client !== FX_CLIENT_ID || typeof key !== 'string' || !isSame(key, apiKey))
        throw new ApiError(401, 'credentials_invalid', 'The client id or API key is not valid.');
      const token = randomBytes(32).toString('base64url');
      tokens.add(token);
      return { status: 201, body: { token, expires_at: timeOf(Date.now() + TOKEN_MS) } };
    }
    if (!tokens.has(/^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''))
      throw new ApiError(401, 'credentials_invalid', 'The access token is missing or has expired.');
    const path = url.pathname.replace('/api/v1/', '');
    if (request.method === 'POST' && path === 'fx/quotes/create') return { status: 201, body: createQuote(body) };
    if (request.method === 'POST' && path === 'fx/conversions/create')
      return { status: 201, body: shown(await convert(body)) };
    if (path === 'fx/conversions') {
      const wanted = url.searchParams.get('request_id');
      const items = [...conversions.values()].filter(({ requestId }) => wanted === null || requestId === wanted);
      return { status: 200, body: { items: items.reverse().map(shown), has_more: false } };
    }
    if (path === 'balances/current')
      return {
        status: 200,
        body: [...balances].map(([currency, amount]) => ({
          currency,
          available_amount: jsonAmount(fixedText(amount)),
          total_amount: jsonAmount(fixedText(amount)),
          pending_amount: 0,
          reserved_amount: 0,
        })),
      };
    const found = conversions.get(path.replace('fx/conversions/', ''));
    if (found === undefined) throw new ApiError(404, 'not_found', 'There is no such conversion.');
    return { status: 200, body: shown(found) };
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const isConversion = request.url?.endsWith('/conversions/create') === true;
    if (mode === 'lost' && isConversion) return void request.socket.destroy();
    if (mode === 'failing') return sendJson(response, 500, INTERNAL_ERROR);
    const answer = await answerOf(request).catch(refusalIn);
    if (mode === 'mute' && isConversion) return void request.socket.destroy();
    sendJson(response, answer.status, answer.body);
  }

  const service = await startHttp({
    port: options.port,
    purpose: "the sandbox's FX account",
    serve,
    failed(response, error) {
      console.error("the sandbox's FX account failed:", error);
      sendJson(response, 500, INTERNAL_ERROR);
    },
  });
  return {
    url: service.url,
    apiKeyFile,
    conversions,
    balance: (currency) => fixedText(balances.get(currency) ?? 0n),
    setMode(next) {
      mode = next;
    },
    moveOn,
    async stop() {
      await service.stop();
      await writing;
      await journal.close();
    },
  };
}

function shownDeal({ sellCurrency, sellAmount, buyCurrency, buyAmount, dealt }: Deal): Json {
  const rate = jsonAmount(fixedText(cut(quotient(fixed(buyAmount), fixed(sellAmount)), 6)));
  return {
    ...{
      sell_currency: sellCurrency,
      sell_amount: jsonAmount(sellAmount),
      buy_currency: buyCurrency,
      buy_amount: jsonAmount(buyAmount),
    },
    ...{
      currency_pair: `${sellCurrency}${buyCurrency}`,
      dealt_currency: dealt,
      client_rate: rate,
      awx_rate: rate,
      mid_rate: rate,
    },
    conversion_date: new Date().toISOString().slice(0, 10),
  };
}

function shown(conversion: Conversion): Json {
  const { id, requestId, quoteId, at, status } = conversion;
  return {
    ...{
      conversion_id: id,
      request_id: requestId,
      short_reference_id: `C${id.slice(0, 8).toUpperCase()}`,
      status,
    },
    ...shownDeal(conversion),
    ...(quoteId === null ? {} : { quote_id: quoteId }),
    ...{ settlement_cutoff_at: timeOf(at), created_at: timeOf(at), updated_at: timeOf(at) },
  };
}

function placesOf(currency: string): number {
  return currency === 'JPY' ? 0 : 2;
}

function upTo(value: bigint, places: number): bigint {
  const whole = cut(value, places);
  return whole === value ? value : whole + 10n ** BigInt(10 - places);
}

/** @throws ApiError */
function amountAt(body: Json, name: string, currency: string): bigint {
  try {
    const amount = fixed(String(body[name]));
    if (amount > 0n && cut(amount, placesOf(currency)) === amount) return amount;
  } catch {
    // Said below.
  }
  throw new ApiError(400, 'invalid_argument', `${name} is no amount of ${currency}.`, name);
}

async function keptKey(file: string): Promise<string> {
  const known = await readFile(file, 'utf8').catch(() => '');
  if (known.trim() !== '') return known.trim();
  const made = randomBytes(32).toString('base64url');
  await writeDurably(file, `${made}\n`);
  return made;
}

function isConversion(value: unknown): value is Kept {
  return isObject(value) && 'requestId' in value && 'sellAmount' in value;
}
