/**
 * The issuer's part of the desk's API (see desk-api.ts): a shop that takes cards, and the issuer's behaviour. Amounts are plain decimal texts in whole units: of `pay` in the
 * merchant's currency, of everything else in the card's.
 *
 * GET  /api/issuer                                      { url, mode, delivery, asaTimeoutMs, cards, currencies }
 * GET  /api/issuer/transactions?limit=                  newest first, each with its events and what the console answered
 * GET  /api/issuer/events?limit=                        newest first
 * POST /api/issuer          { mode?: ok | down | slow | mute | lost | half | failing | limited, delayMs?, asaTimeoutMs?,
 *                             delivery?: on | held, order?: usual | reversed }  `on` delivers what was held, in this order
 * POST /api/issuer/pay      { pan, kind: purchase | atOnce | inquiry | forced | refund, amount, currency, merchant, mcc, country, city?, online, partial }
 *                           → the transaction
 * POST /api/issuer/transactions/:token  { act: increase | advise | clear | clearLast | reverse | expire | takeBack, amount? } → the transaction
 * POST /api/issuer/cards/:token         { act: ship, trackingNumber? }
 * POST /api/issuer/events/:key          { act: again | forge | late | lose } → { status }
 */
import * as z from 'zod/mini';
import { DeskError, type DeskRequest, notFound, read } from './desk-call.ts';
import { shipCard } from './issuer/cards.ts';
import { CURRENCIES, converted, placesOf, rateOf } from './issuer/currencies.ts';
import { cardByPan } from './issuer/engine.ts';
import { ISSUER_MODES, type IssuerServer } from './issuer/issuer.ts';
import {
  advise,
  clear,
  expire,
  forcePost,
  giveBack,
  type Purchase,
  reverse,
  reverseReturn,
} from './issuer/lifecycle.ts';
import { MESSAGE_ACTS } from './issuer/messages.ts';
import { IssuerRefusal, settingsOf, type Transaction } from './issuer/model.ts';
import { currencyOf } from './issuer/shapes.ts';

const some = <Schema extends z.ZodMiniType>(schema: Schema) => z.optional(schema);
const amount = z.string().check(z.regex(/^\d{1,10}(\.\d{1,3})?$/, 'not an amount'));
const ms = z.int().check(z.gte(0), z.lte(600_000));

const switchBody = z.object({
  mode: some(z.enum(ISSUER_MODES)),
  delayMs: some(ms),
  asaTimeoutMs: some(ms),
  delivery: some(z.enum(['on', 'held'])),
  order: some(z.enum(['usual', 'reversed'])),
});
const KINDS = ['purchase', 'atOnce', 'inquiry', 'forced', 'refund'] as const;
const payBody = z.object({
  pan: z.string().check(z.regex(/^[\d ]{16,19}$/, 'not a card number')),
  kind: z.enum(KINDS),
  amount,
  currency: z.enum(CURRENCIES),
  merchant: z.string().check(z.minLength(1), z.maxLength(100)),
  mcc: z.string().check(z.regex(/^\d{4}$/, 'not a category code')),
  country: z.string().check(z.regex(/^[A-Z]{3}$/, 'not a country')),
  city: some(z.string().check(z.maxLength(50))),
  online: z.boolean(),
  partial: z.boolean(),
});
const ACTS = ['increase', 'advise', 'clear', 'clearLast', 'reverse', 'expire', 'takeBack'] as const;
const actBody = z.object({ act: z.enum(ACTS), amount: some(amount) });
const cardBody = z.object({ act: z.literal('ship'), trackingNumber: some(z.string().check(z.maxLength(50))) });
const eventBody = z.object({ act: z.enum(MESSAGE_ACTS) });

type Route = (parts: { issuer: IssuerServer }, request: DeskRequest, argument: string) => unknown;

const SHOWN = 100;

export const ISSUER_ROUTES: Readonly<Record<string, Route>> = {
  'GET /api/issuer': ({ issuer }) => overview(issuer),
  'GET /api/issuer/transactions': ({ issuer }, { query }) => newest(issuer.store.all('transactions'), query).map(shown),
  'GET /api/issuer/events': ({ issuer: { store } }, { query }) =>
    newest(store.keys('messages'), query).map((key) => ({ key, ...store.get('messages', key), payload: undefined })),
  'POST /api/issuer': ({ issuer }, { body }) =>
    asked(async () => {
      const { mode, delayMs, asaTimeoutMs, delivery, order } = read(switchBody, body);
      if (mode !== undefined) await issuer.setMode(mode, delayMs);
      if (asaTimeoutMs !== undefined) issuer.setAsaTimeoutMs(asaTimeoutMs);
      if (delivery === 'on') await issuer.messages.release(order ?? 'usual');
      if (delivery === 'held')
        await issuer.store.change((tx) => tx.put('settings', 'now', { ...settingsOf(tx), delivery: 'held' }));
      return overview(issuer);
    }),
  'POST /api/issuer/pay': ({ issuer }, { body }) => asked(() => pay(issuer, read(payBody, body))),
  'POST /api/issuer/transactions/:': ({ issuer }, { body }, token) =>
    asked(() => act(issuer, token, read(actBody, body))),
  'POST /api/issuer/cards/:': ({ issuer }, { body }, token) =>
    asked(async () => {
      const { trackingNumber = 'HK0000000000' } = read(cardBody, body);
      const card = await issuer.store.change((tx) => shipCard(tx, token, trackingNumber, Date.now()));
      void issuer.messages.deliver();
      return { token, state: card.state };
    }),
  'POST /api/issuer/events/:': ({ issuer }, { body }, key) =>
    asked(async () => ({ status: await issuer.messages.act(key, read(eventBody, body).act) })),
};

async function pay(issuer: IssuerServer, wish: z.output<typeof payBody>): Promise<unknown> {
  const card = cardByPan(issuer.store, wish.pan.replaceAll(' ', ''));
  const merchantAmount = minorOf(wish.amount, wish.currency);
  const billing = currencyOf(card);
  const { merchant: descriptor, mcc, country, city = '' } = wish;
  const purchase: Omit<Purchase, 'type'> = {
    amount: converted(merchantAmount, wish.currency, billing, rateOf(wish.currency, billing)),
    merchantCurrency: wish.currency,
    merchantAmount,
    merchant: { acceptorId: '174030075991', descriptor, mcc, country, city, state: '' },
    isOnline: wish.online,
    isPartialCapable: wish.partial,
  };
  const now = Date.now();
  const types = { purchase: 'AUTHORIZATION', atOnce: 'FINANCIAL_AUTHORIZATION', inquiry: 'BALANCE_INQUIRY' } as const;
  const token =
    wish.kind === 'forced'
      ? await issuer.store.change((tx) => forcePost(tx, card, purchase, now))
      : wish.kind === 'refund'
        ? await issuer.store.change((tx) => giveBack(tx, card, purchase, now))
        : await issuer.engine.authorize(card, {
            ...purchase,
            ...(wish.kind === 'inquiry' ? { amount: 0, merchantAmount: 0 } : {}),
            type: types[wish.kind],
          });
  return announced(issuer, token);
}

async function act(issuer: IssuerServer, token: string, wish: z.output<typeof actBody>): Promise<unknown> {
  const known = issuer.store.get('transactions', token) ?? notFound();
  const given = wish.amount === undefined ? undefined : minorOf(wish.amount, known.billingCurrency);
  const now = Date.now();
  const needed = (): number => {
    if (given === undefined) throw new DeskError(422, 'amount: is needed for this');
    return given;
  };
  if (wish.act === 'increase') {
    await issuer.engine.increase(token, needed());
    return announced(issuer, token);
  }
  await issuer.store.change((tx) => {
    if (wish.act === 'advise') advise(tx, token, needed(), now);
    else if (wish.act === 'reverse') reverse(tx, token, given, now);
    else if (wish.act === 'expire') expire(tx, token, now);
    else if (wish.act === 'takeBack') reverseReturn(tx, token, now);
    else clear(tx, token, { amount: given, isFinal: wish.act === 'clearLast', now });
  });
  return announced(issuer, token);
}

function announced(issuer: IssuerServer, token: string): unknown {
  void issuer.messages.deliver();
  return shown(issuer.store.get('transactions', token) ?? notFound());
}

function overview({ store, url, mode, asaTimeoutMs }: IssuerServer) {
  const cards = store.all('cards').map((card) => ({
    ...{ token: card.token, type: card.type, state: card.state, memo: card.memo, currency: currencyOf(card) },
    ...{ pan: card.pan, expMonth: card.expMonth, expYear: card.expYear },
  }));
  const { delivery } = settingsOf(store);
  return { url, mode: mode(), asaTimeoutMs: asaTimeoutMs(), delivery, cards: cards.reverse(), currencies: CURRENCIES };
}

function shown(transaction: Readonly<Transaction>) {
  const {
    billingCurrency: currency,
    merchantCurrency,
    steps,
    answers,
    held,
    settled,
    authorised,
    ...rest
  } = transaction;
  return {
    ...rest,
    currency,
    merchantCurrency,
    ...{ held: text(held, currency), settled: text(settled, currency), authorised: text(authorised, currency) },
    merchantAuthorised: text(rest.merchantAuthorised, merchantCurrency),
    merchantSettled: text(rest.merchantSettled, merchantCurrency),
    steps: steps.map((step) => ({
      ...step,
      amount: text(step.amount, currency),
      merchantAmount: text(step.merchantAmount, merchantCurrency),
    })),
    answers: answers.map((answer) => ({ ...answer, amount: text(answer.amount, currency) })),
  };
}

function newest<Item>(items: readonly Item[], query: URLSearchParams): Item[] {
  return items.slice(-(Number(query.get('limit') ?? SHOWN) || SHOWN)).reverse();
}

/** @throws DeskError 422 more decimals than the currency has */
function minorOf(amountText: string, currency: string): number {
  const [whole = '0', part = ''] = amountText.split('.');
  const places = placesOf(currency);
  if (part.length > places) throw new DeskError(422, `amount: ${currency} has ${places} decimals`);
  return Number(whole + part.padEnd(places, '0'));
}

function text(minor: number, currency: string): string {
  const places = placesOf(currency);
  const digits = String(Math.abs(minor)).padStart(places + 1, '0');
  const cut = digits.length - places;
  return `${minor < 0 ? '-' : ''}${digits.slice(0, cut)}${places === 0 ? '' : `.${digits.slice(cut)}`}`;
}

/** What the issuer refuses is for the person at the desk. */
async function asked(work: () => Promise<unknown>): Promise<unknown> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof IssuerRefusal) throw new DeskError(error.status === 404 ? 404 : 422, error.message);
    throw error;
  }
}
