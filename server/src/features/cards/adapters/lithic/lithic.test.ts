import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { countries } from '@causeway/contract/countries.ts';
import { type IssuerServer, startIssuer } from '@causeway/sandbox/issuer/issuer.ts';
import { forcePost } from '@causeway/sandbox/issuer/lifecycle.ts';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../../../platform/ids.ts';
import {
  type AuthorizationAnswer,
  type AuthorizationRequest,
  type CardEvent,
  type CardIssuer,
  type IssuerMessage,
  type IssuerProtocol,
  IssuerRefusedError,
  IssuerUnavailableError,
  type SignedRequest,
} from '../../issuer.ts';
import { alpha2Of, alpha3Of } from './countries.ts';
import { createLithicIssuer } from './issuer.ts';
import { lithicProtocol } from './protocol.ts';
import { withoutNumbers } from './shapes.ts';

/** The adapter against the sandbox's issuer, whose shapes the vendor's own SDK is held to (sandbox/src/issuer/issuer.test.ts). */

let sandbox: IssuerServer;
let issuer: CardIssuer;
let protocol: IssuerProtocol;
let responder: Server;
let secrets: { responder: string; events: string };
let answer: AuthorizationAnswer = { outcome: 'declined', code: 'declined' };
let requests: AuthorizationRequest[] = [];
let messages: IssuerMessage[] = [];
let raw: SignedRequest[] = [];

beforeAll(async () => {
  responder = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const request = { headers: incoming.headers, body: Buffer.concat(chunks).toString('utf8') };
      raw.push(request);
      if (incoming.url === '/events') {
        const message = protocol.readMessage(request, new Date());
        if (message) messages.push(message);
        outgoing.writeHead(message ? 200 : 401).end();
        return;
      }
      const asked = protocol.readAuthorization(request, new Date());
      if (asked) requests.push(asked);
      outgoing.writeHead(asked ? 200 : 401).end(asked ? JSON.stringify(protocol.writeAnswer(asked, answer)) : '');
    });
  });
  responder.listen(0, '127.0.0.1');
  await once(responder, 'listening');
  const base = `http://127.0.0.1:${(responder.address() as AddressInfo).port}`;
  sandbox = await startIssuer({ responderUrl: `${base}/authorization`, eventsUrl: `${base}/events`, tickMs: 0 });
  secrets = {
    responder: sandbox.store.get('settings', 'now')?.responderSecret ?? '',
    events: sandbox.store.all('subscriptions')[0]?.secret ?? '',
  };
  protocol = lithicProtocol({ authorization: [secrets.responder], events: [secrets.events] });
  issuer = createLithicIssuer({
    url: sandbox.url,
    apiKey: sandbox.apiKey,
    programs: new Map(sandbox.programs.map(({ currency, token }) => [currency, token])),
    timeoutMs: 2000,
  });
});

afterAll(async () => {
  await sandbox.stop();
  responder.closeAllConnections();
  responder.close();
});

beforeEach(async () => {
  await sandbox.setMode('ok');
  answer = { outcome: 'approved', approvedMinor: 10n ** 12n, availableMinor: null };
  await sandbox.messages.deliver();
  [requests, messages, raw] = [[], [], []];
});

const order = {
  kind: 'virtual',
  name: 'Travel of Chan Tai Man',
  holderName: 'Chan Tai Man',
  currency: 'HKD',
  shipTo: null,
  replaces: null,
} as const;
const shipTo = {
  ...{ name: 'Mei Ling Chan', line1: '1 Queen’s Road Central', line2: '', city: 'Hong Kong', region: '' },
  ...{ postalCode: '', country: 'HK', phone: '' },
};
const merchant = {
  acceptorId: 'm-1',
  descriptor: 'STAR FERRY',
  mcc: '4111',
  city: 'HONG KONG',
  state: 'HK',
  country: 'HKG',
};
const purchase = { type: 'AUTHORIZATION', merchant, isOnline: false, isPartialCapable: false } as const;
const cardAt = (token: string) => {
  const card = sandbox.store.get('cards', token);
  if (!card) throw new Error('no such card');
  return card;
};
const simulate = async (path: string, body: object) => {
  const headers = { authorization: sandbox.apiKey, 'content-type': 'application/json' };
  const response = await fetch(`${sandbox.url}/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) });
  expect(response.status).toBe(200);
};
const steps = (events: readonly CardEvent[] | null) =>
  events?.map(({ type, amountMinor, isLast }) => [type, amountMinor, isLast]);

test('an order repeated is the same card, whatever became of the answer; it is frozen, activated, replaced and closed', async () => {
  const id = newId();
  await sandbox.setMode('mute');
  await expect(issuer.issue({ ...order, id })).rejects.toBeInstanceOf(IssuerUnavailableError);
  await sandbox.setMode('ok');
  const card = await issuer.issue({ ...order, id });
  expect((await issuer.issue({ ...order, id })).token).toBe(card.token);
  expect(sandbox.store.all('cards').filter(({ memo }) => memo.includes(id)).length).toBe(1);
  expect(card).toMatchObject({ state: 'open', isActivated: true, shipping: null });
  expect(card.lastFour).toBe(cardAt(card.token).pan.slice(-4));
  expect(card.expires).toMatch(/^20\d\d-(0[1-9]|1[0-2])$/);
  expect(JSON.stringify(card)).not.toContain(cardAt(card.token).pan.slice(0, 12));
  expect(await issuer.setState(card.token, 'paused')).toMatchObject({ state: 'paused' });
  await issuer.setCeiling(card.token, { eachMinor: null, monthMinor: 5000n });
  expect(cardAt(card.token)).toMatchObject({ spendLimit: 10_000, spendLimitDuration: 'MONTHLY' });
  await issuer.setCeiling(card.token, { eachMinor: 700n, monthMinor: 5000n });
  expect(cardAt(card.token)).toMatchObject({ spendLimit: 700, spendLimitDuration: 'TRANSACTION' });
  await issuer.setCeiling(card.token, { eachMinor: null, monthMinor: null });
  expect(cardAt(card.token).spendLimit).toBe(0);
  const physical = await issuer.issue({ ...order, id: newId(), kind: 'physical', shipTo, replaces: card.token });
  expect(physical).toMatchObject({ isActivated: false, shipping: { state: 'ordered' } });
  expect(cardAt(physical.token).shipping).toMatchObject({ first_name: 'Mei Ling', last_name: 'Chan', country: 'HKG' });
  expect(await issuer.readCard(card.token)).toMatchObject({ state: 'closed' });
  expect(await issuer.activate(physical.token)).toMatchObject({ isActivated: true, shipping: { state: 'delivered' } });
  await expect(issuer.setState(card.token, 'open')).rejects.toBeInstanceOf(IssuerRefusedError);
  expect(await issuer.setState(card.token, 'closed')).toMatchObject({ state: 'closed' });
  await expect(issuer.issue({ ...order, id: newId(), currency: 'EUR' })).rejects.toBeInstanceOf(IssuerRefusedError);
  expect(await issuer.readCard(newId())).toBeNull();
  expect(await issuer.readPurchase(newId())).toBeNull();
});

test('the frame opens until its end, and the key is in none of its addresses', async () => {
  const { token } = await issuer.issue({ ...order, id: newId() });
  const address = issuer.frame(token, new Date(Date.now() + 60_000), 'en-us');
  expect(address).not.toContain(sandbox.apiKey);
  const opened = await fetch(address);
  expect(await opened.text()).toContain(cardAt(token).pan.slice(-4));
  expect((await fetch(issuer.frame(token, new Date(Date.now() - 1), 'en-us'))).status).toBe(403);
});

test('an issuer that is down, slow, failing, half or busy is unavailable, and so is one that refuses the key', async () => {
  await issuer.check();
  for (const mode of ['down', 'slow', 'mute', 'lost', 'half', 'failing', 'limited'] as const) {
    await sandbox.setMode(mode, 10_000);
    await expect(issuer.check(), mode).rejects.toBeInstanceOf(IssuerUnavailableError);
  }
  await sandbox.setMode('ok');
  const other = createLithicIssuer({ url: sandbox.url, apiKey: newId(), programs: new Map() });
  await expect(other.check()).rejects.toThrow('status 401');
  await expect(issuer.check(AbortSignal.abort())).rejects.toThrow();
});

test('a request is read whole: amounts, merchant, country, place and part; the answer decides', async () => {
  const { token } = await issuer.issue({ ...order, id: newId() });
  const foreign = { ...purchase, amount: 78_000, merchantCurrency: 'JPY', merchantAmount: 15_000, isOnline: true };
  answer = { outcome: 'approved', approvedMinor: 78_000n, availableMinor: 500n };
  const bought = await sandbox.engine.authorize(cardAt(token), { ...foreign, isPartialCapable: true });
  expect(requests[0]).toMatchObject({
    ...{ purchaseToken: bought, cardToken: token, kind: 'authorization', amountMinor: 78_000n, currency: 'HKD' },
    ...{ isOnline: true, mayBePartial: true, merchant: { name: 'STAR FERRY', mcc: '4111', country: 'HK' } },
    merchantAmount: { amount: '15000', currency: 'JPY' },
  });
  expect(sandbox.store.get('transactions', bought)).toMatchObject({ status: 'PENDING', held: 78_000 });
  answer = { outcome: 'approved', approvedMinor: 300n, availableMinor: null };
  const part = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 1000, isPartialCapable: true });
  expect(sandbox.store.get('transactions', part)).toMatchObject({ held: 300 });
  const whole = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 1000 });
  expect(sandbox.store.get('transactions', whole)).toMatchObject({ status: 'DECLINED', result: 'INSUFFICIENT_FUNDS' });
  for (const [code, result] of [
    ['card_closed', 'CARD_PAUSED'],
    ['velocity_exceeded', 'USER_TRANSACTION_LIMIT'],
    ['unauthorized_merchant', 'UNAUTHORIZED_MERCHANT'],
    ['currency', 'DECLINED'],
  ] as const) {
    answer = { outcome: 'declined', code };
    const refused = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 100 });
    expect(sandbox.store.get('transactions', refused), code).toMatchObject({ status: 'DECLINED', held: 0, result });
  }
  const inquiry = { ...purchase, type: 'BALANCE_INQUIRY', amount: 0 } as const;
  answer = { outcome: 'approved', approvedMinor: 0n, availableMinor: 900n };
  await sandbox.engine.authorize(cardAt(token), inquiry);
  expect(requests.at(-1)).toMatchObject({ kind: 'inquiry', amountMinor: 0n });
});

test('events say what became of a purchase, each by a token that stays the same; a request and its event have one token', async () => {
  const { token } = await issuer.issue({ ...order, id: newId() });
  const hotel = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 1000 });
  await sandbox.engine.increase(hotel, 400);
  await simulate('simulate/authorization_advice', { token: hotel, amount: 1200 });
  await simulate('simulate/void', { token: hotel, amount: 200 });
  await simulate('simulate/clearing', { token: hotel, amount: 600 });
  await simulate('simulate/clearing', { token: hotel, amount: 700 });
  const events = await issuer.readPurchase(hotel);
  expect(steps(events)).toEqual([
    ['authorized', 1000n, false],
    ['authorized', 400n, false],
    ['adjusted', 1200n, false],
    ['reversed', 200n, false],
    ['cleared', 600n, false],
    ['cleared', 700n, true],
  ]);
  expect(events?.slice(0, 2).map(({ requestToken }) => requestToken)).toEqual(requests.map((asked) => asked.token));
  await sandbox.messages.deliver();
  const told = messages.flatMap((message) => (message.kind === 'purchase' ? message.events : []));
  expect(new Set(told.map((event) => event.token))).toEqual(new Set(events?.map((event) => event.token)));
  const held = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 500 });
  await simulate(`transactions/${held}/expire_authorization`, {});
  expect(steps(await issuer.readPurchase(held))).toEqual([
    ['authorized', 500n, false],
    ['expired', null, false],
  ]);
  const atOnce = await sandbox.engine.authorize(cardAt(token), {
    ...purchase,
    type: 'FINANCIAL_AUTHORIZATION',
    amount: 300,
  });
  expect(steps(await issuer.readPurchase(atOnce))).toEqual([['cleared', 300n, true]]);
  const forced = await sandbox.store.change((tx) =>
    forcePost(tx, cardAt(token), { ...purchase, amount: 50 }, Date.now()),
  );
  expect(steps(await issuer.readPurchase(forced))).toEqual([['cleared', 50n, true]]);
  const { pan } = cardAt(token);
  await simulate('simulate/return', { pan, amount: 90, descriptor: 'STAR FERRY' });
  const refund = sandbox.store.all('transactions').at(-1)?.token ?? '';
  await simulate('simulate/return_reversal', { token: refund });
  expect(steps(await issuer.readPurchase(refund))).toEqual([
    ['refunded', 90n, false],
    ['refundReversed', 90n, false],
  ]);
  answer = { outcome: 'declined', code: 'insufficient_funds' };
  const refused = await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 100 });
  expect((await issuer.readPurchase(refused))?.[0]).toMatchObject({
    type: 'declined',
    amountMinor: 100n,
    note: 'INSUFFICIENT_FUNDS',
  });
});

test('what is unsigned, signed by another, altered or late is not read, and what is of another shape is kept; two secrets hold while one is changed', async () => {
  const { token } = await issuer.issue({ ...order, id: newId() });
  await sandbox.engine.authorize(cardAt(token), { ...purchase, amount: 100 });
  await sandbox.messages.deliver();
  const [request] = raw.filter(({ body }) => body.includes('approval_request'));
  const event = raw.filter(({ body }) => body.includes('card_transaction.updated')).at(-1);
  if (!request || !event) throw new Error('nothing came');
  const now = new Date();
  const late = new Date(now.getTime() + 5 * 60_000 + 2000);
  expect(protocol.readAuthorization(request, now)).not.toBeNull();
  expect(protocol.readMessage(event, now)).toMatchObject({ kind: 'purchase' });
  expect([protocol.readAuthorization(request, late), protocol.readMessage(event, late)]).toEqual([null, null]);
  expect(protocol.readAuthorization({ ...request, body: request.body.replace('100', '900') }, now)).toBeNull();
  expect(protocol.readAuthorization({ ...request, headers: {} }, now)).toBeNull();
  const fresh = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
  const changing = lithicProtocol({ authorization: [fresh, secrets.responder], events: [fresh] });
  expect(changing.readAuthorization(request, now)).not.toBeNull();
  expect(changing.readMessage(event, now)).toBeNull();
  const signed = (value: unknown) => {
    const body = JSON.stringify(value);
    const at = String(Math.floor(now.getTime() / 1000));
    const signature = new Webhook(fresh).sign('m', now, body);
    return { headers: { 'webhook-id': 'm', 'webhook-timestamp': at, 'webhook-signature': signature }, body };
  };
  const good = JSON.parse(request.body);
  expect(changing.readAuthorization(signed({ ...good, new_field: 1 }), now)).not.toBeNull();
  for (const bad of [
    { ...good, event_token: undefined },
    { ...good, status: 'SOMETHING' },
    { ...good, amounts: { ...good.amounts, cardholder: { amount: 1.5, currency: 'HKD' } } },
    { ...good, amounts: { ...good.amounts, cardholder: { amount: 2 ** 60, currency: 'HKD' } } },
    'text',
    null,
  ])
    expect(changing.readAuthorization(signed(bad), now)).toBeNull();
  expect(changing.readMessage(signed({ event_type: 'dispute.updated' }), now)).toEqual({ kind: 'other' });
  // Signed, and not understood: kept with the names that could be read.
  const said = JSON.parse(event.body);
  const names = { purchaseToken: said.token, cardToken: token };
  const malformed = { ...said.amounts, cardholder: { amount: '100', currency: 'HKD' } };
  expect(changing.readMessage(signed({ ...said, amounts: malformed }), now)).toMatchObject({
    ...{ kind: 'unread', problem: 'unreadable', type: 'card_transaction.updated', ...names },
  });
  expect(changing.readMessage(signed({ event_type: 'card_wonder.made', card_token: token }), now)).toMatchObject({
    ...{ kind: 'unread', problem: 'unknownType', type: 'card_wonder.made', cardToken: token },
  });
  const step = { ...said.events[0], token: 'S-1', type: 'SURCHARGE' };
  const idle = { ...step, token: 'S-2', type: 'BALANCE_INQUIRY' };
  expect(changing.readMessage(signed({ ...said, events: [...said.events, step, idle] }), now)).toMatchObject({
    kind: 'purchase',
    unread: [{ problem: 'unknownType', type: 'SURCHARGE', token: 'S-1', ...names }],
  });
  const zero = 'a\u0000b';
  for (const bad of [{ ...said, token: zero }, { ...said, events: [{ ...step, type: zero }] }, { event_type: zero }])
    expect(changing.readMessage(signed(bad), now)).toMatchObject({ kind: 'unread', problem: 'unreadable' });
  for (const bad of ['text', null, { token: 5 }])
    expect(changing.readMessage(signed(bad), now)).toMatchObject({ kind: 'unread', problem: 'unreadable' });
  const fraud = { ...said.events[0], result: 'DECLINED', detailed_results: ['SUSPECTED_FRAUD'] };
  expect(changing.readMessage(signed({ ...said, events: [fraud] }), now)).toMatchObject({
    events: [{ type: 'declined', suspectsFraud: true }],
  });
  const shipped = { event_type: 'card.shipped', card_token: token, tracking_number: 'HK1' };
  expect(changing.readMessage(signed(shipped), now)).toMatchObject({
    card: { token, isActivated: false, shipping: { state: 'shipped', tracking: 'HK1' } },
  });
  const paused = { event_type: 'card.updated', card_token: token, state: 'PAUSED' };
  expect(changing.readMessage(signed(paused), now)).toMatchObject({ card: { state: 'paused', isActivated: true } });
});

test('countries are those of ISO 3166-1, and no number of a card passes in a merchant’s name', () => {
  for (const code of countries) expect(alpha2Of(alpha3Of(code) ?? '')).toBe(code);
  expect([alpha2Of('QZZ'), alpha2Of('')]).toEqual([null, null]);
  expect(withoutNumbers('SHOP 4111 1111 1111 1111\nHK')).toBe('SHOP ••••1111 HK');
  expect(withoutNumbers('TEL 852-2345 6789')).toBe('TEL 852-2345 6789');
});
