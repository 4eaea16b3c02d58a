import { randomUUID } from 'node:crypto';
import * as z from 'zod/mini';
import { createCard, read, reissueCard, updateCard } from './cards.ts';
import { PROGRAMS } from './currencies.ts';
import { cardByPan, type Engine, rotateResponderSecret } from './engine.ts';
import {
  AUTHORISATION_TYPES,
  advise,
  adviseCredit,
  clear,
  expire,
  giveBack,
  type Purchase,
  reverse,
  reverseReturn,
} from './lifecycle.ts';
import { newSecret } from './messages.ts';
import { cardAt, IssuerRefusal, type IssuerStore, type Subscription, settingsOf, transactionAt } from './model.ts';
import { cardShape, programShape, subscriptionShape, transactionShape } from './shapes.ts';

/** The vendor's calls as far as the product and its tests use them, by method and path; `:` is a token. */

export type ApiRequest = {
  method: string;
  path: string;
  query: URLSearchParams;
  body: unknown;
  idempotencyKey: string | undefined;
};
export type ApiParts = {
  store: IssuerStore;
  engine: Engine;
  /** After a secret was changed. */
  keepSecrets: () => Promise<void>;
};
type Route = (parts: ApiParts, request: ApiRequest, token: string) => unknown;

const amount = z.int().check(z.gte(0));
const purchaseBody = z.object({
  amount,
  descriptor: z.string().check(z.maxLength(100)),
  pan: z.string(),
  mcc: z.optional(z.string().check(z.regex(/^\d{4}$/, 'not a category code'))),
  merchant_acceptor_city: z.optional(z.string()),
  merchant_acceptor_country: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'not a country'))),
  merchant_acceptor_id: z.optional(z.string()),
  merchant_acceptor_state: z.optional(z.string()),
  merchant_amount: z.optional(amount),
  merchant_currency: z.optional(z.string().check(z.regex(/^[A-Z]{3}$/, 'not a currency'))),
  partial_approval_capable: z.optional(z.boolean()),
  pin: z.optional(z.string()),
  status: z.optional(z.enum(AUTHORISATION_TYPES)),
});
const tokenBody = z.object({ token: z.string() });
const amountBody = z.object({ token: z.string(), amount });
const clearingBody = z.object({ token: z.string(), amount: z.optional(amount) });
const voidBody = z.object({
  token: z.string(),
  amount: z.optional(amount),
  type: z.optional(z.enum(['AUTHORIZATION_EXPIRY', 'AUTHORIZATION_REVERSAL'])),
});
const responderType = z.enum(['AUTH_STREAM_ACCESS', 'THREE_DS_DECISIONING', 'TOKENIZATION_DECISIONING']);
const url = z.string().check(z.regex(/^https?:\/\/.{1,500}$/, 'not a URL'));
const responderBody = z.object({ type: responderType, url });
const subscriptionBody = z.object({
  url,
  description: z.optional(z.string()),
  disabled: z.optional(z.boolean()),
  event_types: z.optional(z.nullable(z.array(z.string()))),
});

export const ROUTES: Readonly<Record<string, Route>> = {
  'GET /v1/status': () => ({ message: 'OK' }),
  'GET /v1/card_programs': (_, { query }) => page(PROGRAMS.map(programShape), query),
  'GET /v1/cards': ({ store }, { query }) => {
    const [state, memo] = [query.get('state'), query.get('memo')];
    const cards = store
      .all('cards')
      .filter((card) => (state ?? card.state) === card.state && card.memo.includes(memo ?? ''));
    return page(newest(cards, query).map(cardShape), query);
  },
  'POST /v1/cards': async ({ store }, { body, idempotencyKey }) =>
    cardShape(await store.change((tx) => createCard(tx, body, idempotencyKey, Date.now()))),
  'GET /v1/cards/:': ({ store }, _, token) => cardShape(cardAt(store, token)),
  'PATCH /v1/cards/:': async ({ store }, { body }, token) =>
    cardShape(await store.change((tx) => updateCard(tx, token, body, Date.now()))),
  'POST /v1/cards/:/reissue': async ({ store }, { body }, token) =>
    cardShape(await store.change((tx) => reissueCard(tx, token, body, Date.now()))),
  'GET /v1/transactions': ({ store }, { query }) => {
    const [card, status, result] = [query.get('card_token'), query.get('status'), query.get('result')];
    const found = store
      .all('transactions')
      .filter(
        (each) =>
          (card ?? each.card) === each.card &&
          (status ?? each.status) === each.status &&
          (result === null || (result === 'APPROVED') === (each.result === 'APPROVED')),
      );
    return page(newest(found, query).map(transactionShape), query);
  },
  'GET /v1/transactions/:': ({ store }, _, token) => transactionShape(transactionAt(store, token)),
  'POST /v1/transactions/:/expire_authorization': async ({ store }, _, token) => {
    await store.change((tx) => expire(tx, token, Date.now()));
    return {};
  },
  'GET /v1/responder_endpoints': ({ store }, { query }) => {
    const { responderUrl } = settingsOf(store);
    const isAsa = query.get('type') === 'AUTH_STREAM_ACCESS';
    return { enrolled: isAsa && responderUrl !== null, url: isAsa ? responderUrl : null };
  },
  'POST /v1/responder_endpoints': async ({ store }, { body }) => {
    const wish = read(responderBody, body);
    if (wish.type !== 'AUTH_STREAM_ACCESS') throw new IssuerRefusal(400, 'Only AUTH_STREAM_ACCESS is offered.');
    await store.change((tx) => tx.put('settings', 'now', { ...settingsOf(tx), responderUrl: wish.url }));
    return { enrolled: true };
  },
  'DELETE /v1/responder_endpoints': async ({ store }) => {
    await store.change((tx) => tx.put('settings', 'now', { ...settingsOf(tx), responderUrl: null }));
    return {};
  },
  'GET /v1/auth_stream/secret': ({ store }) => ({ secret: settingsOf(store).responderSecret }),
  'POST /v1/auth_stream/secret/rotate': async ({ store, keepSecrets }) => {
    await rotateResponderSecret(store, Date.now());
    await keepSecrets();
    return {};
  },
  'GET /v1/event_subscriptions': ({ store }, { query }) =>
    page(store.all('subscriptions').map(subscriptionShape), query),
  'POST /v1/event_subscriptions': async ({ store }, { body }) => {
    const wish = read(subscriptionBody, body);
    const made = { token: `ep_${randomUUID().replaceAll('-', '')}`, secret: newSecret() };
    const subscription = { ...made, ...wished(wish, { description: '', isDisabled: false, eventTypes: null }) };
    await store.change((tx) => tx.put('subscriptions', subscription.token, subscription));
    return subscriptionShape(subscription);
  },
  'GET /v1/event_subscriptions/:': ({ store }, _, token) => subscriptionShape(subscriptionAt(store, token)),
  'PATCH /v1/event_subscriptions/:': async ({ store }, { body }, token) => {
    const changed = {
      ...subscriptionAt(store, token),
      ...wished(read(subscriptionBody, body), subscriptionAt(store, token)),
    };
    await store.change((tx) => tx.put('subscriptions', token, changed));
    return subscriptionShape(changed);
  },
  'GET /v1/event_subscriptions/:/secret': ({ store }, _, token) => ({ secret: subscriptionAt(store, token).secret }),
  'POST /v1/event_subscriptions/:/secret/rotate': async ({ store, keepSecrets }, _, token) => {
    const changed = { ...subscriptionAt(store, token), secret: newSecret() };
    await store.change((tx) => tx.put('subscriptions', token, changed));
    await keepSecrets();
    return {};
  },
  'POST /v1/simulate/authorize': async ({ store, engine }, { body }) => {
    const wish = read(purchaseBody, body);
    return {
      token: await engine.authorize(cardByPan(store, wish.pan), {
        ...purchaseOf(wish),
        type: wish.status ?? 'AUTHORIZATION',
      }),
    };
  },
  'POST /v1/simulate/authorization_advice': async ({ store }, { body }) => {
    const wish = read(amountBody, body);
    await store.change((tx) => advise(tx, wish.token, wish.amount, Date.now()));
    return { token: wish.token };
  },
  'POST /v1/simulate/clearing': async ({ store }, { body }) => {
    const wish = read(clearingBody, body);
    await store.change((tx) => clear(tx, wish.token, { amount: wish.amount, now: Date.now() }));
    return {};
  },
  'POST /v1/simulate/credit_authorization_advice': async ({ store }, { body }) => {
    const wish = read(purchaseBody, body);
    return {
      token: await store.change((tx) => adviseCredit(tx, cardByPan(tx, wish.pan), purchaseOf(wish), Date.now())),
    };
  },
  'POST /v1/simulate/return': async ({ store }, { body }) => {
    const wish = read(purchaseBody, body);
    return { token: await store.change((tx) => giveBack(tx, cardByPan(tx, wish.pan), purchaseOf(wish), Date.now())) };
  },
  'POST /v1/simulate/return_reversal': async ({ store }, { body }) => {
    const wish = read(tokenBody, body);
    await store.change((tx) => reverseReturn(tx, wish.token, Date.now()));
    return {};
  },
  'POST /v1/simulate/void': async ({ store }, { body }) => {
    const wish = read(voidBody, body);
    await store.change((tx) =>
      wish.type === 'AUTHORIZATION_EXPIRY'
        ? expire(tx, wish.token, Date.now())
        : reverse(tx, wish.token, wish.amount, Date.now()),
    );
    return {};
  },
};

/** The route of a path, and the token in it. */
export function routeOf(method: string, path: string): { route: Route; token: string } | undefined {
  const exact = ROUTES[`${method} ${path}`];
  if (exact !== undefined) return { route: exact, token: '' };
  const [, version = '', collection = '', token = '', ...rest] = path.split('/');
  const route = ROUTES[`${method} /${[version, collection, ':', ...rest].join('/')}`];
  return route === undefined ? undefined : { route, token: decodeURIComponent(token) };
}

function purchaseOf(wish: z.output<typeof purchaseBody>): Omit<Purchase, 'type'> {
  return {
    amount: wish.amount,
    merchantAmount: wish.merchant_amount,
    merchantCurrency: wish.merchant_currency,
    isOnline: false,
    isPartialCapable: wish.partial_approval_capable ?? false,
    merchant: {
      acceptorId: wish.merchant_acceptor_id ?? '174030075991',
      descriptor: wish.descriptor,
      mcc: wish.mcc ?? '5812',
      city: wish.merchant_acceptor_city ?? 'NEW YORK',
      country: wish.merchant_acceptor_country ?? 'USA',
      state: wish.merchant_acceptor_state ?? 'NY',
    },
  };
}

function wished(
  wish: z.output<typeof subscriptionBody>,
  usual: Pick<Subscription, 'description' | 'isDisabled' | 'eventTypes'>,
) {
  return {
    url: wish.url,
    description: wish.description ?? usual.description,
    isDisabled: wish.disabled ?? usual.isDisabled,
    eventTypes: wish.event_types === undefined ? usual.eventTypes : wish.event_types,
  };
}

/** @throws IssuerRefusal 404 */
function subscriptionAt(store: IssuerStore, token: string): Readonly<Subscription> {
  const subscription = store.get('subscriptions', token);
  if (subscription === undefined) throw new IssuerRefusal(404, 'Could not find subscription.');
  return subscription;
}

function newest<Item extends { createdAt: number }>(items: readonly Item[], query: URLSearchParams): Item[] {
  const [begin, end] = [query.get('begin'), query.get('end')];
  return items
    .filter(
      ({ createdAt }) =>
        (begin === null || createdAt >= Date.parse(begin)) && (end === null || createdAt < Date.parse(end)),
    )
    .reverse();
}

/** A page after or before a token, as the vendor's cursors have it. @throws IssuerRefusal 400 */
function page<Item extends { token: string }>(items: readonly Item[], query: URLSearchParams) {
  const size = Number(query.get('page_size') ?? 50);
  if (!Number.isInteger(size) || size < 1 || size > 100)
    throw new IssuerRefusal(400, 'Invalid parameter(s): page_size');
  const [after, before] = [query.get('starting_after'), query.get('ending_before')];
  const at = (token: string): number => {
    const index = items.findIndex((item) => item.token === token);
    if (index < 0) throw new IssuerRefusal(400, 'Could not find the cursor.');
    return index;
  };
  if (before !== null) {
    const end = at(before);
    const start = Math.max(0, end - size);
    return { data: items.slice(start, end), has_more: start > 0 };
  }
  const start = after === null ? 0 : at(after) + 1;
  return { data: items.slice(start, start + size), has_more: start + size < items.length };
}
