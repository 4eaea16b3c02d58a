import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { PROGRAMS } from './currencies.ts';
import { announce } from './messages.ts';
import {
  CARD_TYPES,
  type Card,
  cardAt,
  IssuerRefusal,
  LIMIT_DURATIONS,
  type Reader,
  SUBSTATUSES,
  type Transaction,
  type Tx,
} from './model.ts';
import { newCvv, newPan } from './numbers.ts';

/** Cards of the issuer: made, changed, replaced, sent. */

const text = (most: number) => z.string().check(z.maxLength(most));
const shippingAddress = z.object({
  first_name: text(100),
  last_name: text(100),
  address1: text(200),
  address2: z.optional(text(200)),
  city: text(100),
  state: text(100),
  postal_code: text(20),
  country: z.string().check(z.regex(/^[A-Z]{3}$/, 'not an ISO 3166-1 alpha-3 code')),
});
const shippingMethod = z.enum([
  '2_DAY',
  'BULK',
  'EXPEDITED',
  'EXPRESS',
  'PRIORITY',
  'STANDARD',
  'STANDARD_WITH_TRACKING',
]);
const limit = z.int().check(z.gte(0));

const createBody = z.object({
  type: z.enum(CARD_TYPES),
  card_program_token: z.optional(z.uuid()),
  memo: z.optional(text(300)),
  spend_limit: z.optional(limit),
  spend_limit_duration: z.optional(z.enum(LIMIT_DURATIONS)),
  state: z.optional(z.enum(['OPEN', 'PAUSED'])),
  exp_month: z.optional(z.string().check(z.regex(/^(0[1-9]|1[0-2])$/, 'not a month'))),
  exp_year: z.optional(z.string().check(z.regex(/^20\d\d$/, 'not a year'))),
  replacement_for: z.optional(z.uuid()),
  replacement_substatus: z.optional(z.enum(SUBSTATUSES)),
  replacement_comment: z.optional(text(500)),
  shipping_address: z.optional(shippingAddress),
  shipping_method: z.optional(shippingMethod),
});
const updateBody = z.object({
  memo: z.optional(text(300)),
  comment: z.optional(text(500)),
  spend_limit: z.optional(limit),
  spend_limit_duration: z.optional(z.enum(LIMIT_DURATIONS)),
  state: z.optional(z.enum(['OPEN', 'PAUSED', 'CLOSED'])),
  substatus: z.optional(z.enum(SUBSTATUSES)),
});
const reissueBody = z.object({
  shipping_address: z.optional(shippingAddress),
  shipping_method: z.optional(shippingMethod),
});

const YEARS_VALID = 4;
/** How far back a limit counts. Real calendar months would need the cardholder's zone; the vendor's are of 30 days' length, too. */
const DAY_MS = 24 * 3_600_000;
const WINDOWS: Readonly<Record<Card['spendLimitDuration'], number>> = {
  TRANSACTION: 0,
  MONTHLY: 30 * DAY_MS,
  ANNUALLY: 365 * DAY_MS,
  FOREVER: Number.POSITIVE_INFINITY,
};

/** @throws IssuerRefusal 400, with the first thing that is wrong */
export function read<Schema extends z.ZodMiniType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new IssuerRefusal(400, `Invalid parameter(s): ${issue?.path.join('.') ?? ''} ${issue?.message ?? ''}`.trim());
}

/** Makes a card, or returns the one that the key made before. @throws IssuerRefusal 400, 404 */
export function createCard(tx: Tx, body: unknown, key: string | undefined, now: number): Readonly<Card> {
  const known = key === undefined ? undefined : tx.get('idempotency', key);
  if (known !== undefined) return cardAt(tx, known.card);
  const wish = read(createBody, body);
  const isPhysical = wish.type === 'PHYSICAL';
  if (isPhysical && wish.shipping_address === undefined)
    throw new IssuerRefusal(400, 'Invalid parameter(s): shipping_address is required for physical cards');
  const replaced = wish.replacement_for === undefined ? null : cardAt(tx, wish.replacement_for);
  const program = PROGRAMS.find(
    ({ token }) => token === (wish.card_program_token ?? replaced?.program ?? PROGRAMS[0]?.token),
  );
  if (program === undefined) throw new IssuerRefusal(400, 'Invalid parameter(s): card_program_token');
  const year = new Date(now).getUTCFullYear() + YEARS_VALID;
  const card: Card = {
    token: randomUUID(),
    program: program.token,
    type: wish.type,
    state: isPhysical ? 'PENDING_FULFILLMENT' : (wish.state ?? 'OPEN'),
    substatus: null,
    memo: wish.memo ?? replaced?.memo ?? '',
    comment: '',
    spendLimit: wish.spend_limit ?? replaced?.spendLimit ?? 0,
    spendLimitDuration: wish.spend_limit_duration ?? replaced?.spendLimitDuration ?? 'TRANSACTION',
    pan: newPan(program.panStart),
    cvv: newCvv(),
    expMonth: wish.exp_month ?? String(new Date(now).getUTCMonth() + 1).padStart(2, '0'),
    expYear: wish.exp_year ?? String(year),
    createdAt: now,
    replacementFor: replaced?.token ?? null,
    shipping: wish.shipping_address ?? null,
    shippingMethod: wish.shipping_method ?? (isPhysical ? 'STANDARD' : null),
  };
  tx.put('cards', card.token, card);
  if (key !== undefined) tx.put('idempotency', key, { card: card.token });
  announce(tx, 'card.created', { card_token: card.token, replacement_for: card.replacementFor }, now);
  if (replaced !== null && replaced.state !== 'CLOSED') {
    const comment = wish.replacement_comment ?? replaced.comment;
    put(tx, replaced, { state: 'CLOSED', substatus: wish.replacement_substatus ?? 'OTHER', comment }, now);
  }
  return card;
}

/** @throws IssuerRefusal 400 a closed card is closed for good; 404 */
export function updateCard(tx: Tx, token: string, body: unknown, now: number): Readonly<Card> {
  const wish = read(updateBody, body);
  const card = cardAt(tx, token);
  const { memo = card.memo, comment = card.comment, state = card.state, substatus = card.substatus } = wish;
  if (card.state === 'CLOSED' && state !== 'CLOSED') throw new IssuerRefusal(400, 'A closed card cannot be reopened.');
  const limits = {
    spendLimit: wish.spend_limit ?? card.spendLimit,
    spendLimitDuration: wish.spend_limit_duration ?? card.spendLimitDuration,
  };
  return put(tx, card, { memo, comment, state, substatus, ...limits }, now);
}

/** A duplicate of a physical card, with the same number. @throws IssuerRefusal 400, 404 */
export function reissueCard(tx: Tx, token: string, body: unknown, now: number): Readonly<Card> {
  const wish = read(reissueBody, body);
  const card = cardAt(tx, token);
  if (card.type !== 'PHYSICAL' || card.state === 'CLOSED')
    throw new IssuerRefusal(400, 'Only physical cards that are not closed can be reissued.');
  const { shipping_address: shipping = card.shipping, shipping_method: shippingMethod = card.shippingMethod } = wish;
  const reissued = { ...card, shipping, shippingMethod };
  tx.put('cards', token, reissued);
  announce(tx, 'card.reissued', { card_token: token }, now);
  return reissued;
}

/** Sends a physical card that waits for it. @throws IssuerRefusal 400, 404 */
export function shipCard(tx: Tx, token: string, trackingNumber: string, now: number): Readonly<Card> {
  const card = cardAt(tx, token);
  if (card.type !== 'PHYSICAL') throw new IssuerRefusal(400, 'Only physical cards are shipped.');
  const shipped = { card_token: token, bulk_order_token: null, shipping_method: 'Ex-US standard with tracking' };
  announce(tx, 'card.shipped', { ...shipped, tracking_number: trackingNumber }, now);
  return card.state === 'PENDING_FULFILLMENT' ? put(tx, card, { state: 'PENDING_ACTIVATION' }, now) : card;
}

function put(tx: Tx, card: Readonly<Card>, change: Partial<Card>, now: number): Readonly<Card> {
  const changed = { ...card, ...change };
  tx.put('cards', card.token, changed);
  const before = Object.fromEntries(
    Object.entries({ state: card.state, memo: card.memo, spend_limit: card.spendLimit }).filter(
      ([name, value]) => value !== { state: changed.state, memo: changed.memo, spend_limit: changed.spendLimit }[name],
    ),
  );
  announce(tx, 'card.updated', { card_token: card.token, previous_fields: before, state: changed.state }, now);
  return changed;
}

/** The detailed result with which the issuer itself declines, before it asks the programme; null: it asks. */
export function refusalOf(
  reader: Reader,
  card: Readonly<Card>,
  wish: { amount: number; isOnline: boolean },
  now: number,
): { result: string; detailedResult: string } | null {
  const refuse = (result: string, detailedResult = result) => ({ result, detailedResult });
  if (card.state === 'CLOSED') return refuse('CARD_CLOSED');
  if (card.state === 'PAUSED') return refuse('CARD_PAUSED');
  // Until it is activated, a physical card pays where it need not be present.
  if (card.state !== 'OPEN' && !wish.isOnline) return refuse('DECLINED', 'CARD_NOT_ACTIVATED');
  if (now >= Date.UTC(Number(card.expYear), Number(card.expMonth))) return refuse('DECLINED', 'CARD_EXPIRED');
  if (card.spendLimit === 0 || wish.amount <= 0) return null;
  const spent = reader
    .all('transactions')
    .filter(({ card: token, createdAt }) => token === card.token && now - createdAt < WINDOWS[card.spendLimitDuration])
    .reduce((sum, { held, settled }: Readonly<Transaction>) => sum + held + settled, 0);
  const isWithin = spent + wish.amount <= card.spendLimit;
  return isWithin ? null : refuse('USER_TRANSACTION_LIMIT', 'CARD_SPEND_LIMIT_EXCEEDED');
}
