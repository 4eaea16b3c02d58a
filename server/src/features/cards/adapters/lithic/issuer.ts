import { createHmac } from 'node:crypto';
import * as z from 'zod';
import { RequestError, request } from '../../../../platform/http/request.ts';
import {
  type CardIssuer,
  type CardOrder,
  type IssuerCard,
  IssuerRefusedError,
  IssuerUnavailableError,
} from '../../issuer.ts';
import { alpha3Of } from './countries.ts';
import { eventsOf } from './events.ts';
import { card, cardPage, type LithicCard, transaction } from './shapes.ts';

/** Lithic, as the operator contracts it (https://docs.lithic.com). */
export interface LithicSettings {
  /** `https://api.lithic.com` */
  url: string;
  apiKey: string;
  /** The card programme of each currency that it bills in: ISO 4217 → `card_program_token`. */
  programs: ReadonlyMap<string, string>;
  timeoutMs?: number;
}

type Method = 'GET' | 'POST' | 'PATCH';
interface Asked {
  method?: Method;
  body?: object;
  idempotencyKey?: string;
  signal?: AbortSignal | undefined;
}

const usualTimeoutMs = 10_000;
const mostBytes = 2_000_000;
const anyPage = z.looseObject({ data: z.array(z.unknown()) });
const unknown = Symbol('Lithic has no such thing');

/** The port's calls over Lithic's API. A refusal is one of 400 to 422; whatever else has no whole answer is unavailable, and may have been done. */
export function createLithicIssuer({ url, apiKey, programs, timeoutMs = usualTimeoutMs }: LithicSettings): CardIssuer {
  async function ask<Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    { method = 'GET', body, idempotencyKey, signal }: Asked = {},
  ): Promise<z.output<Schema> | typeof unknown> {
    signal?.throwIfAborted();
    const headers = {
      authorization: apiKey,
      accept: 'application/json',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
    };
    const text = body === undefined ? null : JSON.stringify(body);
    const answer = await request(new URL(path, url), {
      method,
      headers,
      body: text,
      timeoutMs,
      maxBytes: mostBytes,
    }).catch((error: unknown) => {
      if (error instanceof RequestError) throw new IssuerUnavailableError(`${error.problem}: ${error.message}`);
      throw error;
    });
    const { status } = answer;
    if (status === 404) return unknown;
    const said = jsonOf(answer.bytes);
    if (status === 400 || status === 409 || status === 422) throw new IssuerRefusedError(wordsOf(said));
    if (status < 200 || status > 299) throw new IssuerUnavailableError(`status ${status}: ${wordsOf(said)}`);
    const parsed = schema.safeParse(said);
    // The answer itself may hold what must not be logged.
    if (!parsed.success)
      throw new IssuerUnavailableError(`an answer of another shape: ${parsed.error.issues[0]?.path.join('.') ?? ''}`);
    return parsed.data;
  }

  async function change(token: string, body: object, signal?: AbortSignal): Promise<IssuerCard> {
    const changed = await ask(`/v1/cards/${encodeURIComponent(token)}`, card, { method: 'PATCH', body, signal });
    if (changed === unknown) throw new IssuerRefusedError('the issuer has no such card');
    return issuerCardOf(changed);
  }

  /** A key of idempotency is forgotten after a day; the order's id in the memo is not. */
  async function made(id: string, signal?: AbortSignal): Promise<LithicCard | undefined> {
    const found = await ask(`/v1/cards?memo=${encodeURIComponent(id)}`, cardPage, { signal });
    return found === unknown ? undefined : found.data[0];
  }

  return {
    name: 'lithic',
    currencies: [...programs.keys()],
    async issue(order, signal) {
      const program = programs.get(order.currency);
      if (program === undefined) throw new IssuerRefusedError(`it does not bill in ${order.currency}`);
      const known = await made(order.id, signal);
      if (known !== undefined) return issuerCardOf(known);
      const body = bodyOf(order, program);
      const created = await ask('/v1/cards', card, { method: 'POST', body, idempotencyKey: order.id, signal });
      if (created === unknown) throw new IssuerRefusedError('the issuer does not know the card that is to be replaced');
      return issuerCardOf(created);
    },
    setState: (token, state, signal) =>
      change(token, { state: { open: 'OPEN', paused: 'PAUSED', closed: 'CLOSED' }[state] }, signal),
    activate: (token, signal) => change(token, { state: 'OPEN' }, signal),
    async setCeiling(token, { eachMinor, monthMinor }, signal) {
      await change(token, ceilingOf(eachMinor, monthMinor), signal);
    },
    async readCard(token, signal) {
      const found = await ask(`/v1/cards/${encodeURIComponent(token)}`, card, { signal });
      return found === unknown ? null : issuerCardOf(found);
    },
    async readPurchase(token, signal) {
      const found = await ask(`/v1/transactions/${encodeURIComponent(token)}`, transaction, { signal });
      return found === unknown ? null : eventsOf(found);
    },
    frame(token, expiresAt) {
      // As the SDK's `cards.getEmbedURL` makes it: the text is signed by the API key.
      const text = JSON.stringify({ token, expiration: expiresAt.toISOString() });
      const address = new URL('/v1/embed/card', url);
      address.searchParams.set('embed_request', Buffer.from(text).toString('base64'));
      address.searchParams.set('hmac', createHmac('sha256', apiKey).update(text).digest('base64'));
      return address.href;
    },
    async check(signal) {
      // A call that wants the key: `/v1/status` answers anyone.
      const found = await ask('/v1/cards?page_size=1', anyPage, { signal });
      if (found === unknown) throw new IssuerUnavailableError('status 404');
    },
  };
}

function bodyOf({ id, kind, name, shipTo, replaces }: CardOrder, program: string): object {
  return {
    type: kind === 'physical' ? 'PHYSICAL' : 'VIRTUAL',
    card_program_token: program,
    memo: `${name} (${id})`,
    ...(kind === 'virtual' && { state: 'OPEN' }),
    ...(replaces !== null && { replacement_for: replaces }),
    ...(shipTo !== null && {
      shipping_method: 'STANDARD_WITH_TRACKING',
      shipping_address: {
        ...nameOf(shipTo.name),
        address1: shipTo.line1,
        ...(shipTo.line2 !== '' && { address2: shipTo.line2 }),
        city: shipTo.city,
        // Required there; places without states repeat the city.
        state: shipTo.region === '' ? shipTo.city : shipTo.region,
        postal_code: shipTo.postalCode === '' ? '000000' : shipTo.postalCode,
        country: alpha3Of(shipTo.country) ?? shipTo.country,
        ...(shipTo.phone !== '' && { phone_number: shipTo.phone }),
      },
    }),
  };
}

/** Lithic wants two names: the last word is the second, and a single one is both. */
function nameOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.pop() ?? '';
  return { first_name: words.length === 0 ? last : words.join(' '), last_name: last };
}

/**
 * Lithic has one limit a card, 0 for none. Its month is the 30 days before a purchase, ours a calendar month: of two of ours may be in one of its, so twice the limit is what
 * never declines in our place what we allow.
 */
function ceilingOf(eachMinor: bigint | null, monthMinor: bigint | null): object {
  if (eachMinor !== null) return { spend_limit: Number(eachMinor), spend_limit_duration: 'TRANSACTION' };
  if (monthMinor !== null) return { spend_limit: Number(monthMinor * 2n), spend_limit_duration: 'MONTHLY' };
  return { spend_limit: 0, spend_limit_duration: 'TRANSACTION' };
}

function issuerCardOf({
  token,
  state,
  type,
  last_four: lastFour,
  exp_month: month,
  exp_year: year,
}: LithicCard): IssuerCard {
  const isPending = state === 'PENDING_ACTIVATION' || state === 'PENDING_FULFILLMENT';
  const shipping =
    state === 'PENDING_FULFILLMENT' ? 'ordered' : state === 'PENDING_ACTIVATION' ? 'shipped' : 'delivered';
  return {
    token,
    state: state === 'CLOSED' ? 'closed' : state === 'PAUSED' ? 'paused' : 'open',
    isActivated: !isPending,
    lastFour,
    expires: month && year ? `${year}-${month.padStart(2, '0')}` : null,
    shipping: type === 'PHYSICAL' ? { state: shipping, tracking: null, expectedOn: null } : null,
  };
}

function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch {
    return undefined;
  }
}

function wordsOf(said: unknown): string {
  const message = typeof said === 'object' && said !== null && 'message' in said ? said.message : '';
  return typeof message === 'string' ? message.slice(0, 200) : '';
}
