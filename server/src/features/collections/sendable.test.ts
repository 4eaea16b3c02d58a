import { listNotices } from '@causeway/contract/notices.ts';
import * as calls from '@causeway/contract/payment-requests.ts';
import { readPublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { paymentPagePath } from '@causeway/contract/payment-requests-rules.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  type CollectionWorld,
  collectionWorld,
  credit,
  detail,
  type Opened,
  opened,
  paid,
  pay,
  usdt,
  work,
} from '../../testing/collections.ts';
import type { Tenant } from '../../testing/main-app.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { succeed } from '../../testing/succeed.ts';

/** What is asked of a payer can be sent, and settles the request; a rest that is too little to send is a member's to decide on. */

let of: CollectionWorld;
let company: Tenant;
beforeAll(async () => {
  of = await collectionWorld();
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  await of.close();
});
beforeEach(async () => {
  company = await of.world.company();
});

const see = (request: Opened) => detail(of, request.company.admin, request.id);
const read = async ({ token }: Opened) => (await succeed(of.world, readPublicPaymentRequest, { body: { token } })).data;
const pageOf = async ({ token }: Opened, query = '') =>
  (await of.world.app.inject({ method: 'GET', url: `${paymentPagePath(token)}?lang=en-us${query}` })).body;
const accepted = ['USDT', 'HKDT'].map((coin) => ({ chainId: 'ethereum', coin }));
const inUsd = { pricing: 'currency', asset: 'USD', amount: '100', accepted } as const;

test('what a wallet of eight decimals sends of a coin of eighteen is the amount, to the last cent', async () => {
  const request = await opened(of, company, { ...inUsd, accepted: [{ chainId: 'ethereum', coin: 'ETH' }] });
  await keepTestMids(of.db, { ETH: '2653.1234567' });
  const other = await opened(of, company, { ...inUsd, accepted: [{ chainId: 'ethereum', coin: 'ETH' }] });
  await keepTestMids(of.db);
  for (const [each, asked] of [
    [request, '0.040000000000000000'],
    [other, '0.037692000000000000'],
  ] as const) {
    const [option] = (await read(each)).options;
    expect(option?.amount).toBe(asked);
    expect(await pageOf(each)).toContain(`data-copy="${asked.replace(/0+$/, '')}"`);
    await paid(of, each, BigInt(asked.replace('0.', '')), { coin: 'ETH' });
    expect(await see(each)).toMatchObject({ state: 'settled', causes: [], paid: '100.00', remaining: '0.00' });
  }
});

test('a rate has the same digits on the page and in the console', async () => {
  await keepTestMids(of.db, { USDT: '0.99912345678' });
  const request = await opened(of, company, inUsd);
  await keepTestMids(of.db);
  expect(await pageOf(request, '&method=USDT.ethereum')).toContain('1 USDT = 0.99912346 USD');
});

test('what lacks is asked for in the coins in which it can be sent, at the same address where there is one alone', async () => {
  const request = await opened(of, company, inUsd);
  await paid(of, request, 60n * usdt);
  expect((await read(request)).options.map(({ coin, amount }) => [coin, amount])).toEqual([
    ['HKDT', '312.500000'],
    ['USDT', '40.000000'],
  ]);
  const both = await pageOf(request);
  expect(both).toContain('Please send the remaining 40.00 USD.');
  expect(both).not.toContain('the same address');
  // The least of a deposit is one coin: 0.50 USD are half of one, and almost four of the other.
  await paid(of, request, 39_500_000n);
  expect((await read(request)).options.map(({ coin, amount }) => [coin, amount])).toEqual([['HKDT', '3.910000']]);
  expect(await pageOf(request)).toContain('Please send the remaining 0.50 USD to the same address.');
  expect((await see(request)).options.map(({ coin, amount }) => [coin, amount])).toEqual([
    ['HKDT', '3.910000'],
    ['USDT', null],
  ]);
});

test('a rest that is too little to send goes to the members who decide, and the payer is asked for nothing', async () => {
  const request = await opened(of, company, inUsd);
  const almost = await pay(of, request, 99_990_000n);
  expect(await see(request)).toMatchObject({ state: 'processing', causes: [] });
  await credit(of, almost);
  await work(of);
  expect(await see(request)).toMatchObject({
    ...{ state: 'unresolved', causes: ['underpaid'], actor: 'company', remaining: '0.01' },
    can: { accept: true, askRest: false, refund: true, remind: false },
  });
  const { items } = (await succeed(of.world, listNotices, { as: company.admin })).data;
  expect(items.filter(({ title }) => title === 'To be decided: Invoice 0042 (INV-0042)')).toHaveLength(1);
  expect(await read(request)).toMatchObject({ isPayable: false, options: [], causes: ['underpaid'] });
  const page = await pageOf(request);
  expect(page).toContain('is reviewing this payment');
  expect(page).not.toContain(request.address);
  // Its addresses stay watched: what comes all the same settles it.
  expect((await see(request)).addresses).toHaveLength(1);
  await paid(of, request, 10_000n);
  expect(await see(request)).toMatchObject({ state: 'settled', causes: [], paid: '100.00' });

  const other = await opened(of, company, inUsd);
  await paid(of, other, 99_990_000n);
  const { version } = await see(other);
  await succeed(of.world, calls.acceptPaymentRequest, {
    ...{ as: company.admin, params: { id: other.id } },
    body: { version, paymentId: null, note: '' },
  });
  expect(await see(other)).toMatchObject({ state: 'settled', difference: '-0.01' });
});
