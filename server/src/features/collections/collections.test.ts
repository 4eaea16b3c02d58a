import * as calls from '@causeway/contract/payment-requests.ts';
import { readPublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  asked,
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  expire,
  type Opened,
  opened,
  paid,
  pay,
  reorganise,
  tend,
  usdt,
  work,
} from '../../testing/collections.ts';
import { expectLedgerToAgree } from '../../testing/company-books.ts';
import type { Tenant } from '../../testing/main-app.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { succeed } from '../../testing/succeed.ts';

let of: CollectionWorld;
let company: Tenant;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await expectLedgerToAgree(of.db);
  await of.close();
});
beforeEach(async () => {
  company = await of.world.company();
});

const see = (request: Opened) => detail(of, request.company.admin, request.id);
const read = async ({ token }: Opened, hash?: string) =>
  (await succeed(of.world, readPublicPaymentRequest, { body: { token, ...(hash === undefined ? {} : { hash }) } }))
    .data;
const stepsOf = async (request: Opened) => (await see(request)).timeline.map(({ step }) => step);

async function accept(request: Opened, paymentId: string | null = null) {
  const { version } = await see(request);
  return of.world.ask(calls.acceptPaymentRequest, {
    as: request.company.admin,
    params: { id: request.id },
    body: { version, paymentId, note: '' },
  });
}

async function askRest(request: Opened, expiresAt = new Date(Date.now() + 3_600_000).toISOString()) {
  const { version } = await see(request);
  return of.world.ask(calls.askRestOfPaymentRequest, {
    as: request.company.admin,
    params: { id: request.id },
    body: { version, expiresAt, note: '' },
  });
}

describe('a single request', () => {
  test('is prepared until its addresses are open, then paid and settled by what is credited', async () => {
    const body = asked();
    const made = await succeed(of.world, calls.createPaymentRequest, { as: company.admin, body });
    expect(made.data).toMatchObject({ id: body.id, state: 'preparing' });
    // The same submit again is the same request; another one's id is taken.
    expect((await succeed(of.world, calls.createPaymentRequest, { as: company.admin, body })).data).toEqual(made.data);
    for (const change of [{ title: 'Other' }, { amount: '101' }, { note: 'Other' }]) {
      const other = await of.world.ask(calls.createPaymentRequest, { as: company.admin, body: { ...body, ...change } });
      expect(other.key).toBe('idTaken');
    }
    const early = await read({ company, id: body.id, token: made.data.token, address: '' });
    expect(early).toMatchObject({ state: 'preparing', isPayable: false, options: [] });
    await work(of, { times: 2 });
    const open = await detail(of, company.admin, body.id);
    expect(open).toMatchObject({ state: 'open', actor: 'payer', paid: '0.000000', remaining: '100.000000' });
    expect(open.addresses).toHaveLength(1);
    expect(open.addresses[0]?.address).not.toBe(company.address);
    const request = { company, id: body.id, token: made.data.token, address: open.addresses[0]?.address ?? '' };
    const [option] = (await read(request)).options;
    expect(option).toMatchObject({
      coin: 'USDT',
      address: request.address,
      amount: '100.000000',
      rate: null,
      evmChainId: 31337,
    });
    expect(option?.uri).toContain('uint256=100000000');

    const deposit = await pay(of, request, 100n * usdt);
    expect(await see(request)).toMatchObject({ state: 'processing', actor: 'chain', paid: '0.000000' });
    expect(await read(request)).toMatchObject({
      isPayable: false,
      pending: '100.000000',
      received: [{ state: 'seen' }],
    });
    await credit(of, deposit);
    expect(await see(request)).toMatchObject({
      state: 'settled',
      actor: null,
      paid: '100.000000',
      remaining: '0.000000',
    });
    expect(await stepsOf(request)).toEqual(['created', 'opened', 'seen', 'credited', 'settled']);
    expect(await read(request)).toMatchObject({
      state: 'settled',
      isPayable: false,
      options: [],
      remaining: '0.000000',
    });
  });

  test('is open with a part of it, and settled by the rest', async () => {
    const request = await opened(of, company);
    await paid(of, request, 60n * usdt);
    expect(await see(request)).toMatchObject({ state: 'open', paid: '60.000000', remaining: '40.000000' });
    expect((await read(request)).options[0]?.amount).toBe('40.000000');
    await paid(of, request, 40n * usdt);
    expect((await see(request)).state).toBe('settled');
  });

  test.each([
    ['99.5', 'settled', []],
    ['100.5', 'settled', []],
    ['100.500001', 'unresolved', ['overpaid']],
  ])('with a tolerance of half a per cent and %s paid is %s', async (amount, state, causes) => {
    const request = await opened(of, company, { tolerance: { percent: '0.5' } });
    const [whole = '', fraction = ''] = amount.split('.');
    await paid(of, request, BigInt(whole + fraction.padEnd(6, '0')));
    expect(await see(request)).toMatchObject({ state, causes });
  });

  test('that expires with nothing is expired; with a part of the amount it is underpaid', async () => {
    const empty = await opened(of, company);
    await expire(of, empty);
    expect(await see(empty)).toMatchObject({ state: 'expired', causes: [], actor: null });
    expect(await read(empty)).toMatchObject({ state: 'expired', isPayable: false, options: [] });
    const part = await opened(of, company);
    await paid(of, part, 10n * usdt);
    await expire(of, part);
    expect(await see(part)).toMatchObject({ state: 'unresolved', causes: ['underpaid'], actor: 'company' });
  });

  test('is late where it is paid after its period, whatever it had come to', async () => {
    const request = await opened(of, company);
    await expire(of, request);
    expect((await see(request)).state).toBe('expired');
    await paid(of, request, 100n * usdt);
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['late'] });
    expect((await accept(request)).status).toBe(200);
    expect(await see(request)).toMatchObject({ state: 'settled', difference: '0.000000' });
    await paid(of, request, 5n * usdt);
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['late'] });
  });

  test('in another coin is not paid, and both are shown', async () => {
    const request = await opened(of, company);
    await paid(of, request, 100n * usdt, { coin: 'USDC' });
    const shown = await see(request);
    expect(shown).toMatchObject({ state: 'unresolved', causes: ['wrong_coin'], paid: '0.000000' });
    expect(shown.receipts).toMatchObject([{ coin: 'USDC', isAccepted: false, causes: ['wrong_coin'], value: null }]);
    expect(await read(request)).toMatchObject({ isPayable: true, received: [{ isAccepted: false }] });
    await paid(of, request, 150n * usdt);
    expect((await see(request)).causes).toEqual(['overpaid', 'wrong_coin']);
  });

  test('follows a reorganisation before and after the credit, and counts a payment once in whichever block', async () => {
    const request = await opened(of, company);
    const { hash } = await pay(of, request, 100n * usdt);
    await reorganise(of, company);
    expect(await see(request)).toMatchObject({ state: 'open', payments: 0 });
    const again = await pay(of, request, 100n * usdt, { hash });
    await credit(of, again);
    expect(await see(request)).toMatchObject({ state: 'settled', payments: 1, paid: '100.000000' });
    await reorganise(of, company);
    expect(await see(request)).toMatchObject({ state: 'open', payments: 0, paid: '0.000000' });
    expect((await stepsOf(request)).filter((step) => step === 'reopened')).toHaveLength(1);
    // Seen first before the request expired: not late in another block.
    await expire(of, request);
    await credit(of, await pay(of, request, 100n * usdt, { hash }));
    expect((await see(request)).state).toBe('settled');
  });

  test('waits for what is seen before it is underpaid; what was accepted before its credit and is taken back lacks', async () => {
    const request = await opened(of, company);
    await paid(of, request, 50n * usdt);
    await pay(of, request, 40n * usdt);
    await expire(of, request);
    expect((await see(request)).state).toBe('processing');
    expect((await accept(request)).key).toBe('paymentRequestUndecidable');
    const other = await opened(of, await of.world.company());
    const { blockHash } = await paid(of, other, 130n * usdt);
    await pay(of, other, 10n * usdt);
    expect((await accept(other)).status).toBe(200);
    expect(await see(other)).toMatchObject({ state: 'settled', difference: '40.000000' });
    await reorganise(of, other.company, [blockHash]);
    expect(await see(other)).toMatchObject({ state: 'unresolved', causes: ['underpaid'] });
    expect((await accept(other)).status).toBe(200);
    expect(await see(other)).toMatchObject({ state: 'settled', difference: '30.000000' });
  });
});

describe('an amount in a currency', () => {
  test('has a rate for each coin, which is frozen; parts in two coins add up to it exactly', async () => {
    const both = [
      { chainId: 'ethereum', coin: 'USDT' },
      { chainId: 'ethereum', coin: 'HKDT' },
    ];
    const request = await opened(of, company, { pricing: 'currency', asset: 'USD', amount: '33.33', accepted: both });
    const before = await see(request);
    expect(before.options).toMatchObject([
      { coin: 'HKDT', amount: '260.400000', rate: '0.128' },
      { coin: 'USDT', amount: '33.330000', rate: '1' },
    ]);
    await keepTestMids(of.db, { USDT: '0.5', HKDT: '0.5' });
    await paid(of, request, 10n * usdt + 1n);
    const rest = (await see(request)).options.find(({ coin }) => coin === 'HKDT');
    expect(rest).toMatchObject({ amount: '182.270000', rate: '0.128' });
    await paid(of, request, 182_270_000n, { coin: 'HKDT' });
    expect(await see(request)).toMatchObject({ state: 'settled', paid: '33.33', remaining: '0.00' });
    await keepTestMids(of.db);
  });

  test('values a late payment by the rate of its arrival, or later where there was none', async () => {
    const request = await opened(of, company, { pricing: 'currency', asset: 'USD', amount: '50' });
    await expire(of, request);
    await keepTestMids(of.db, { USDT: '0.8' });
    await paid(of, request, 50n * usdt);
    const shown = await see(request);
    expect(shown).toMatchObject({
      state: 'unresolved',
      causes: ['underpaid', 'late'],
      paid: '40.00',
      remaining: '10.00',
    });
    expect(shown.receipts).toMatchObject([{ rate: '0.8', value: '40.00' }]);
    await keepTestMids(of.db, { USDT: '0.8' }, 'stale');
    await paid(of, request, 10n * usdt);
    expect((await see(request)).receipts[1]).toMatchObject({ rate: null, value: null });
    expect((await askRest(request)).key).toBe('paymentRequestRateUnavailable');
    await keepTestMids(of.db);
    await tend(of);
    expect((await see(request)).receipts[1]).toMatchObject({ rate: '1', value: '10.00' });
    expect(await see(request)).toMatchObject({ causes: ['late'], paid: '50.00' });
  });
});

describe('a reusable request', () => {
  test('judges each payment by itself, and shows no payer the others', async () => {
    const request = await opened(of, company, { kind: 'reusable', amount: '25', expiresAt: null });
    const { hash } = await paid(of, request, 25n * usdt);
    await paid(of, request, 25n * usdt);
    expect(await see(request)).toMatchObject({
      state: 'open',
      payments: 2,
      sums: [{ coin: 'USDT', amount: '50.000000' }],
    });
    await paid(of, request, 20n * usdt);
    const shown = await see(request);
    expect(shown).toMatchObject({ state: 'unresolved', causes: ['underpaid'] });
    const short = shown.receipts.find(({ causes }) => causes.length > 0)?.id ?? '';
    expect((await accept(request)).key).toBe('paymentRequestUndecidable');
    expect((await accept(request, shown.receipts[0]?.id)).key).toBe('paymentRequestUndecidable');
    expect((await accept(request, request.id)).key).toBe('paymentRequestPaymentNotFound');
    const page = await read(request);
    expect(page).toMatchObject({
      state: 'open',
      causes: [],
      isPayable: true,
      received: [],
      paid: null,
      remaining: null,
    });
    expect(page.options).toMatchObject([{ amount: '25.000000' }]);
    expect((await read(request, hash)).received).toMatchObject([{ amount: '25.000000', hash }]);
    expect((await accept(request, short)).status).toBe(200);
    expect((await see(request)).state).toBe('open');
  });

  test('without an amount takes what comes in the coins that it accepts', async () => {
    const request = await opened(of, company, {
      kind: 'reusable',
      pricing: 'open',
      asset: null,
      amount: null,
      expiresAt: null,
    });
    await paid(of, request, 7n);
    expect(await see(request)).toMatchObject({ state: 'open', amount: null, asset: null });
    await paid(of, request, 5n * usdt, { coin: 'HKDT' });
    expect(await see(request)).toMatchObject({ state: 'unresolved', causes: ['wrong_coin'] });
    expect((await read(request)).options[0]?.amount).toBeNull();
  });
});

describe('what is refused when it is made', () => {
  const soon = new Date(Date.now() + 60_000).toISOString();
  const inAYear = new Date(Date.now() + 40 * 86_400_000).toISOString();
  const payer = { name: 'Delta', email: 'pay@delta.example', language: 'en_US' as const };
  test.each([
    ['paymentRequestPricing', { pricing: 'open', asset: null, amount: null }],
    ['paymentRequestPricing', { kind: 'reusable', pricing: 'currency', asset: 'USD', expiresAt: null }],
    ['paymentRequestPricing', { asset: 'USDC' }],
    ['paymentRequestPricing', { pricing: 'currency', asset: 'USDT' }],
    ['paymentRequestNoWallet', { accepted: [{ chainId: 'elsewhere', coin: 'USDT' }] }],
    ['paymentRequestNoWallet', { accepted: [{ chainId: 'ethereum', coin: 'BTC' }] }],
    ['paymentRequestExpiry', { expiresAt: soon }],
    ['paymentRequestExpiry', { expiresAt: null }],
    ['paymentRequestExpiry', { pricing: 'currency', asset: 'USD', expiresAt: inAYear }],
    ['paymentRequestDueDate', { dueOn: '2020-01-01' }],
    ['paymentRequestDueDate', { dueOn: '2090-01-01' }],
    ['paymentRequestTolerance', { tolerance: { units: '10.000001' } }],
    ['paymentRequestReminders', { reminderDays: [0], payer }],
    ['paymentRequestTooSmall', { amount: '0.9' }],
    ['paymentRequestRateUnavailable', { pricing: 'currency', asset: 'NZD' }],
    ['amountFormat', { amount: '0' }],
    ['amountTooManyDecimals', { amount: '1.0000001' }],
  ] as const)('%s', async (key, also) => {
    const answer = await of.world.ask(calls.createPaymentRequest, { as: company.admin, body: asked(also as never) });
    expect(answer.key).toBe(key);
  });
});
