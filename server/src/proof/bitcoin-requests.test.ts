import { readPublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { strangersAddress } from '../testing/bitcoin/addresses.ts';
import { bitcoin } from '../testing/bitcoin/signer-world.ts';
import { type BitcoinWorld, bitcoinWorld } from '../testing/bitcoin/world.ts';
import { type ChainRequest, type ChainRequests, requestsOnChains } from '../testing/collection-chains.ts';
import type { Member } from '../testing/main-app.ts';
import type { SignedCompany } from '../testing/signer-world.ts';
import { succeed } from '../testing/succeed.ts';

/** Payment requests in bitcoin: each has an address of its own, which payments of the company spend from as from its others. */

vi.setConfig({ testTimeout: 120_000 });

const depth = bitcoin.confirmations;
const accepted = { chainId: bitcoin.id, coin: 'BTC' };

let world: BitcoinWorld;
let requests: ChainRequests;
let company: SignedCompany;
let as: Member;
beforeAll(async () => {
  world = await bitcoinWorld();
  requests = await requestsOnChains(world);
});
afterAll(async () => {
  expect(requests.main.complaints).toEqual([]);
  await requests.close();
  await world.close();
});
beforeEach(async () => {
  company = await world.company({ isFunded: false });
  as = await requests.member(company);
});

const open = () => requests.open(as, accepted, '0.01');
const addressOf = ({ addresses }: ChainRequest) => addresses.get(bitcoin.id) ?? '';
const pay = (request: ChainRequest, amountMinor: bigint) =>
  world.chain.fund([{ address: addressOf(request), amountMinor }]);
const stateOf = async (request: ChainRequest) => {
  const { state, causes, paid } = await requests.detail(request);
  return { state, causes, paid };
};

test('exact, in two parts, too little, too much, late; spent from the addresses of requests, and change to none of them', async () => {
  const [exact, parts, under, over, late] = [await open(), await open(), await open(), await open(), await open()];
  expect(company.addresses).not.toContain(addressOf(exact));
  await requests.expire(late);
  pay(exact, 1_000_000n);
  // Two payments in one transaction.
  world.chain.fund([
    { address: addressOf(parts), amountMinor: 400_000n },
    { address: addressOf(parts), amountMinor: 600_000n },
  ]);
  pay(under, 250_000n);
  pay(over, 1_500_000n);
  pay(late, 1_000_000n);
  // Before a block has it.
  await world.follow();
  await world.work();
  expect(await stateOf(exact)).toEqual({ state: 'processing', causes: [], paid: '0.00000000' });
  await world.advance(depth + 1);
  expect(await stateOf(exact)).toEqual({ state: 'settled', causes: [], paid: '0.01000000' });
  expect(await stateOf(parts)).toEqual({ state: 'settled', causes: [], paid: '0.01000000' });
  expect(await stateOf(under)).toEqual({ state: 'open', causes: [], paid: '0.00250000' });
  expect(await stateOf(over)).toEqual({ state: 'unresolved', causes: ['overpaid'], paid: '0.01500000' });
  expect(await stateOf(late)).toEqual({ state: 'unresolved', causes: ['late'], paid: '0.01000000' });
  await requests.expire(under);
  expect(await stateOf(under)).toMatchObject({ state: 'unresolved', causes: ['underpaid'] });
  expect(await world.balances(company)).toMatchObject({ available: 4_750_000n });

  const payee = strangersAddress('a supplier');
  const id = await world.promised(company, payee, 4_000_000n, 20_000n);
  await world.work();
  await world.advance(depth + 1);
  expect(await world.transaction(company, id)).toMatchObject({ stage: 'completed' });
  expect(world.held(payee)).toBe(4_000_000n);
  const spent = await world.inputsOf(company, id);
  const own = [exact, parts, under, over, late].map(addressOf);
  expect(spent.every(({ address }) => own.includes(address))).toBe(true);
  expect(await world.balances(company)).toMatchObject({ available: 730_000n });
  // What came back is no payment of a request.
  for (const request of [exact, parts, over, late])
    expect((await requests.detail(request)).payments).toBe(request === parts ? 2 : 1);
  await world.expectBooks();
});

test('what a reorganisation takes back takes the state back, before its credit and after', async () => {
  const request = await open();
  pay(request, 1_000_000n);
  await world.advance(1);
  expect(await stateOf(request)).toMatchObject({ state: 'processing' });
  world.chain.reorganise(1, 'lost');
  await world.advance(1);
  expect(await stateOf(request)).toEqual({ state: 'open', causes: [], paid: '0.00000000' });
  pay(request, 1_000_000n);
  await world.advance(depth + 1);
  expect(await stateOf(request)).toMatchObject({ state: 'settled' });
  world.chain.reorganise(depth + 1, 'lost');
  await world.advance(1);
  expect(await stateOf(request)).toEqual({ state: 'open', causes: [], paid: '0.00000000' });
  pay(request, 1_000_000n);
  await world.advance(depth + 1);
  expect(await stateOf(request)).toEqual({ state: 'settled', causes: [], paid: '0.01000000' });
  expect(await world.balances(company)).toMatchObject({ available: 1_000_000n });
  await world.expectBooks();
});

test('its payer’s page has a BIP 21 address with what lacks', async () => {
  const request = await open();
  const read = async () =>
    (await succeed(requests.main, readPublicPaymentRequest, { body: { token: request.token } })).data;
  const address = addressOf(request);
  expect((await read()).options).toMatchObject([
    { family: 'bitcoin', address, uri: `bitcoin:${address}?amount=0.01000000` },
  ]);
  pay(request, 400_000n);
  await world.advance(depth + 1);
  const part = await read();
  expect(part).toMatchObject({ remaining: '0.00600000' });
  expect(part.options).toMatchObject([{ uri: `bitcoin:${address}?amount=0.00600000` }]);
});
