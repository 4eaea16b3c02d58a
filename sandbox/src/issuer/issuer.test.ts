import { createHmac } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Lithic from 'lithic';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { closeHttp, listenHttp } from '../http-listen.ts';
import { PROGRAMS } from './currencies.ts';
import { type IssuerServer, startIssuer } from './issuer.ts';
import { isPan } from './numbers.ts';

/** The vendor's own SDK issues, pays, clears and reads at the sandbox's issuer, and verifies what it is sent. */

let dir: string;
let issuer: IssuerServer;
let client: Lithic;
let programme: Server;
let base: string;
/** What the programme says to the next requests; a status alone is no answer of use. */
let answer: (request: Lithic.CardAuthorization) => unknown = () => ({ result: 'APPROVED' });
let asked: Lithic.CardAuthorization[] = [];
let told: { id: string; event: Lithic.CardTransactionUpdatedWebhookEvent }[] = [];
let refused = 0;

const secretsOf = async () => ({
  responder: (await client.authStreamEnrollment.retrieveSecret()).secret ?? '',
  events: (await client.events.subscriptions.retrieveSecret('ep_causeway')).secret ?? '',
});

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'causeway-issuer-'));
  programme = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks).toString('utf8');
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const isRequest = request.url === '/authorization';
      const secrets = await secretsOf();
      try {
        new Webhook(isRequest ? secrets.responder : secrets.events).verify(body, headers);
      } catch {
        refused += 1;
        response.writeHead(401).end();
        return;
      }
      const read = JSON.parse(body);
      if (!isRequest) {
        if (read.event_type === 'card_transaction.updated') told.push({ id: headers['webhook-id'] ?? '', event: read });
        response.writeHead(200).end();
        return;
      }
      asked.push(read);
      const said = answer(read);
      if (said === undefined) return;
      response.writeHead(typeof said === 'number' ? said : 200).end(JSON.stringify(said));
    });
  });
  base = `http://127.0.0.1:${await listenHttp(programme, 0, 'a test')}`;
  await start();
});

async function start() {
  issuer = await startIssuer({
    dir,
    responderUrl: `${base}/authorization`,
    eventsUrl: `${base}/events`,
    tickMs: 0,
    asaTimeoutMs: 20_000,
    firstRetryMs: 0,
  });
  client = new Lithic({ apiKey: issuer.apiKey, baseURL: issuer.url, maxRetries: 0 });
}

afterAll(async () => {
  await issuer.stop();
  await closeHttp(programme);
  await rm(dir, { recursive: true });
});

beforeEach(() => {
  answer = () => ({ result: 'APPROVED' });
  [asked, told, refused] = [[], [], 0];
});

const panOf = (token: string): string => issuer.store.get('cards', token)?.pan ?? '';
const makeCard = (params: Partial<Lithic.CardCreateParams> = {}) => client.cards.create({ type: 'VIRTUAL', ...params });
const pay = async (card: { token: string }, amount: number, more: object = {}) => {
  const paid = await client.transactions.simulateAuthorization({
    ...{ amount, descriptor: 'STAR FERRY', pan: panOf(card.token), mcc: '4111' },
    ...{ merchant_acceptor_country: 'HKG', merchant_acceptor_city: 'HONG KONG', ...more },
  });
  return client.transactions.retrieve(paid.token ?? '');
};
const figures = ({ status, amounts }: Lithic.Transaction) => [status, amounts.hold.amount, amounts.settlement.amount];
const read = async (token: string) => figures(await client.transactions.retrieve(token));

test('a card is issued once for its key, changed, listed by pages and closed for good; its number leaves by the frame alone', async () => {
  const [program] = PROGRAMS.filter(({ currency }) => currency === 'HKD');
  const wish = {
    type: 'VIRTUAL',
    memo: 'Travel',
    card_program_token: program?.token,
    'Idempotency-Key': 'one',
  } as const;
  const card = await client.cards.create(wish as Lithic.CardCreateParams);
  expect(card).toMatchObject({ state: 'OPEN', memo: 'Travel', cardholder_currency: 'HKD', spend_limit: 0 });
  expect(await client.cards.create(wish as Lithic.CardCreateParams)).toMatchObject({ token: card.token });
  const changed = await client.cards.update(card.token, {
    state: 'PAUSED',
    spend_limit: 500,
    spend_limit_duration: 'MONTHLY',
  });
  expect(changed).toMatchObject({ state: 'PAUSED', spend_limit: 500 });
  for (let more = 0; more < 3; more += 1) await makeCard();
  const listed: string[] = [];
  for await (const { token } of client.cards.list({ page_size: 2 })) listed.push(token);
  expect(listed).toContain(card.token);
  expect(new Set(listed).size).toBe(listed.length);
  const pan = panOf(card.token);
  expect(isPan(pan)).toBe(true);
  expect(JSON.stringify([card, changed, await client.cards.retrieve(card.token)])).not.toContain(pan);
  const frame = client.cards.getEmbedURL({ token: card.token });
  const shown = await fetch(frame);
  expect(await shown.text()).toContain(pan.replace(/(\d{4})(?=\d)/g, '$1 '));
  expect(shown.headers.get('cache-control')).toBe('no-store');
  const late = client.cards.getEmbedURL({ token: card.token, expiration: new Date(Date.now() - 1000).toISOString() });
  const [text, other] = [JSON.stringify({ token: card.token }), 'f'.repeat(36)];
  const forged = new URLSearchParams({
    embed_request: Buffer.from(text).toString('base64'),
    hmac: createHmac('sha256', other).update(text).digest('base64'),
  });
  for (const [address, status] of [
    [late, 403],
    [`${issuer.url}/v1/embed/card?${forged}`, 401],
  ] as const) {
    const refusal = await fetch(address);
    expect([refusal.status, (await refusal.text()).includes(pan.slice(4, 8))]).toEqual([status, false]);
  }
  expect(await client.cards.update(card.token, { state: 'CLOSED', substatus: 'LOST' })).toMatchObject({
    substatus: 'LOST',
  });
  await expect(client.cards.update(card.token, { state: 'OPEN' })).rejects.toMatchObject({ status: 400 });
  const stranger = new Lithic({ apiKey: other, baseURL: issuer.url, maxRetries: 0 });
  await expect(stranger.cards.list()).rejects.toMatchObject({ status: 401 });
});

test('a replacement closes the card before it; a physical card is sent, and pays at a till only when it is active', async () => {
  const address = { first_name: 'Mei', last_name: 'Chan', address1: '1 Queen’s Road', city: 'Hong Kong', state: 'HK' };
  const card = await makeCard({
    type: 'PHYSICAL',
    shipping_address: { ...address, postal_code: '999077', country: 'HKG' },
  });
  expect(card.state).toBe('PENDING_FULFILLMENT');
  expect((await pay(card, 1000)).result).toBe('DECLINED');
  expect(asked).toEqual([]);
  await client.cards.update(card.token, { state: 'OPEN' });
  expect((await pay(card, 1000)).result).toBe('APPROVED');
  await client.cards.reissue(card.token, {});
  const next = await makeCard({ replacement_for: card.token, replacement_substatus: 'LOST' });
  expect(next.replacement_for).toBe(card.token);
  expect(await client.cards.retrieve(card.token)).toMatchObject({ state: 'CLOSED', substatus: 'LOST' });
  expect((await pay(card, 1000)).result).toBe('CARD_CLOSED');
});

test('a purchase is asked for by a signed request; it holds, clears in parts and above, is voided, or expires', async () => {
  const card = await makeCard();
  const purchase = await pay(card, 5000, { merchant_currency: 'GBP', merchant_amount: 3800 });
  expect(asked[0]).toMatchObject({
    ...{ token: purchase.token, status: 'AUTHORIZATION', card: { token: card.token, state: 'OPEN' } },
    amounts: { cardholder: { amount: 5000, currency: 'USD' }, merchant: { amount: 3800, currency: 'GBP' } },
    merchant: { descriptor: 'STAR FERRY', mcc: '4111', country: 'HKG' },
  });
  expect(refused).toBe(0);
  expect(purchase.events?.[0]?.token).toBe(asked[0]?.event_token);
  expect(figures(purchase)).toEqual(['PENDING', 5000, 0]);
  await client.transactions.simulateClearing({ token: purchase.token, amount: 2000 });
  expect(await read(purchase.token)).toEqual(['SETTLED', 3000, 2000]);
  await client.transactions.simulateClearing({ token: purchase.token, amount: 3500 });
  expect(await read(purchase.token)).toEqual(['SETTLED', 0, 5500]);
  const hotel = await pay(card, 1000);
  await issuer.engine.increase(hotel.token, 400);
  expect(asked.map(({ amount }) => amount)).toEqual([5000, 1000, 400]);
  await client.transactions.simulateAuthorizationAdvice({ token: hotel.token, amount: 1200 });
  expect(await read(hotel.token)).toEqual(['PENDING', 1200, 0]);
  await client.transactions.simulateVoid({ token: hotel.token, amount: 200 });
  expect(await read(hotel.token)).toEqual(['PENDING', 1000, 0]);
  await client.transactions.expireAuthorization(hotel.token);
  expect(await read(hotel.token)).toEqual(['EXPIRED', 0, 0]);
  await client.transactions.simulateClearing({ token: hotel.token, amount: 1000 });
  expect(await read(hotel.token)).toEqual(['SETTLED', 0, 1000]);
  const voided = await pay(card, 700);
  await client.transactions.simulateVoid({ token: voided.token });
  expect(await read(voided.token)).toEqual(['VOIDED', 0, 0]);
  await expect(client.transactions.simulateVoid({ token: voided.token })).rejects.toMatchObject({ status: 400 });
});

test('refunds settle at once or after an advice, and are taken back', async () => {
  const card = await makeCard();
  const refund = await client.transactions.simulateReturn({
    amount: 900,
    descriptor: 'STAR FERRY',
    pan: panOf(card.token),
  });
  expect(await read(refund.token ?? '')).toEqual(['SETTLED', 0, -900]);
  await client.transactions.simulateReturnReversal({ token: refund.token ?? '' });
  expect(await read(refund.token ?? '')).toEqual(['SETTLED', 0, 0]);
  const credit = await client.transactions.simulateCreditAuthorizationAdvice({
    ...{ amount: 300, descriptor: 'STAR FERRY', pan: panOf(card.token) },
  });
  expect(await read(credit.token ?? '')).toEqual(['PENDING', -300, 0]);
  await client.transactions.simulateClearing({ token: credit.token ?? '' });
  expect(await read(credit.token ?? '')).toEqual(['SETTLED', 0, -300]);
});

test('without an answer of use in time a purchase is declined, with the reason; a part is for terminals that can take it', async () => {
  const card = await makeCard({ spend_limit: 100_000, spend_limit_duration: 'FOREVER' });
  const outcome = async (said: unknown, more: object = {}) => {
    answer = () => said;
    const { result, status, amounts, events } = await pay(card, 1000, more);
    return [result, status, amounts.hold.amount, events?.at(-1)?.detailed_results[0]];
  };
  expect(await outcome({ result: 'INSUFFICIENT_FUNDS' })).toEqual([
    'INSUFFICIENT_FUNDS',
    'DECLINED',
    0,
    'INSUFFICIENT_FUNDS',
  ]);
  expect(await outcome({ result: 'SOMETHING_ELSE' })).toEqual(['DECLINED', 'DECLINED', 0, 'CUSTOM_ASA_RESULT']);
  expect(await outcome(500)).toEqual(['DECLINED', 'DECLINED', 0, 'MALFORMED_ASA_RESPONSE']);
  expect(await outcome({ result: 'APPROVED', token: card.token })).toEqual([
    'DECLINED',
    'DECLINED',
    0,
    'MALFORMED_ASA_RESPONSE',
  ]);
  issuer.setAsaTimeoutMs(400);
  expect(await outcome(undefined)).toEqual(['UNKNOWN_HOST_TIMEOUT', 'DECLINED', 0, 'CUSTOMER_ASA_TIMEOUT']);
  issuer.setAsaTimeoutMs(20_000);
  const part = { result: 'APPROVED', approved_amount: 600 };
  expect(await outcome(part)).toEqual(['DECLINED', 'DECLINED', 0, 'MALFORMED_ASA_RESPONSE']);
  expect(await outcome(part, { partial_approval_capable: true })).toEqual(['APPROVED', 'PENDING', 600, 'APPROVED']);
  answer = () => ({ result: 'APPROVED' });
  expect((await pay(card, 0, { status: 'BALANCE_INQUIRY' })).events?.[0]?.type).toBe('BALANCE_INQUIRY');
  expect((await pay(card, 99_900)).result).toBe('USER_TRANSACTION_LIMIT');
  await client.cards.update(card.token, { state: 'PAUSED' });
  const count = asked.length;
  expect((await pay(card, 1)).result).toBe('CARD_PAUSED');
  expect(asked.length).toBe(count);
});

test('events are sent until they are taken, and twice, forged, late or in another order on demand', async () => {
  const card = await makeCard();
  await issuer.messages.deliver();
  told = [];
  await issuer.store.change((tx) => {
    const settings = tx.get('settings', 'now');
    if (settings) tx.put('settings', 'now', { ...settings, delivery: 'held' });
  });
  const purchase = await pay(card, 1000);
  await client.transactions.simulateClearing({ token: purchase.token });
  await issuer.messages.deliver();
  expect(told).toEqual([]);
  await issuer.messages.release('reversed');
  expect(told.map(({ event }) => event.events?.length)).toEqual([2, 1]);
  const key = issuer.store.keys('messages').at(-1) ?? '';
  expect(await issuer.messages.act(key, 'again')).toBe('200');
  expect(told.map(({ id }) => id).filter((id) => key.startsWith(id)).length).toBe(2);
  expect(await issuer.messages.act(key, 'forge')).toBe('401');
  expect(await issuer.messages.act(key, 'late')).toBe('401');
});

test('a changed secret signs at once, and cards, holds and undelivered events outlive a restart', async () => {
  const card = await makeCard();
  const before = await secretsOf();
  await client.authStreamEnrollment.rotateSecret();
  const purchase = await pay(card, 1000);
  expect((await secretsOf()).responder).not.toBe(before.responder);
  expect([purchase.result, refused]).toEqual(['APPROVED', 0]);
  await vi.waitFor(() => expect(told.length).toBeGreaterThan(0), { timeout: 20_000 });
  await closeHttp(programme);
  await client.transactions.simulateClearing({ token: purchase.token });
  await issuer.stop();
  await listenHttp(programme, Number(new URL(base).port), 'a test');
  told = [];
  await start();
  await issuer.messages.deliver();
  expect(told.map(({ event }) => event.status)).toEqual(['SETTLED']);
  expect(await read(purchase.token)).toEqual(['SETTLED', 0, 1000]);
});
