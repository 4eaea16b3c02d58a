import { type Chain, startChain } from '@causeway/sandbox/chain.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createEvmGateway, type EvmGateway } from '../features/chains/index.ts';
import { tendOnce } from '../features/rails/index.ts';
import { sweepDue } from '../features/rails/sweeps/jobs.ts';
import type { EvmChainConfig } from '../platform/config/chains.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld } from '../testing/chain-world.ts';
import { type ChainRequest, type ChainRequests, requestsOnChains } from '../testing/collection-chains.ts';
import { expectLedgerToAgree } from '../testing/company-books.ts';

/**
 * Payment requests on a second EVM chain, in a token there and in its own coin: paid on the chain, followed by its watcher, swept into the wallet. The
 * addresses are those of the first chain, and what a payer sends there by mistake is seen as well.
 */

vi.setConfig({ testTimeout: 240_000 });

const second = 'harbour';
const depth = 2;

let world: ChainWorld;
let chain: Chain;
let gateway: EvmGateway;
let config: EvmChainConfig;
let requests: ChainRequests;
beforeAll(async () => {
  [world, chain] = await Promise.all([
    chainWorld({ rpcTimeoutMs: 30_000 }),
    startChain({ autoMining: false, chainId: 31_338 }),
  ]);
  config = {
    ...world.config,
    id: second,
    name: 'Harbour',
    chainId: chain.chainId,
    rpcUrls: [...chain.urls],
    confirmations: depth,
    startBlock: 1,
    tokens: [{ coin: 'USDT', contract: chain.treasury.contracts.USDT }],
  };
  gateway = createEvmGateway(config);
  await world.configure([world.config, config]);
  requests = await requestsOnChains(world);
  await chain.treasury.send('ETH', world.gasTank, '10');
  await advance(depth + 1);
}, 120_000);
afterAll(async () => {
  expect(requests.main.complaints).toEqual([]);
  await requests.close();
  await world.close();
  await chain.stop();
});

/** The second chain's blocks, read and worked off one by one. */
async function advance(blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left -= 1) {
    await chain.engine.mine(1);
    await world.follow(gateway, config.startBlock);
    await world.work();
  }
}

async function sweeping(rounds: number): Promise<void> {
  for (let left = rounds; left > 0; left -= 1) {
    await sweepDue(world.db.worker);
    await world.work();
    await tendOnce(world.parts(), second, { intervalMs: 0, rebroadcastAfterMs: 0, stuckAfterMs: 3_600_000 });
    await advance(1);
  }
}

type Coin = 'USDT' | 'ETH';
const addressOf = ({ addresses }: ChainRequest) => addresses.get(second) as `0x${string}`;
const pay = (coin: Coin, request: ChainRequest, amount: string) =>
  chain.treasury.send(coin, addressOf(request), amount);
const stateOf = async (request: ChainRequest) => {
  const { state, causes, paid } = await requests.detail(request);
  return { state, causes, paid: Number(paid) };
};
const available = async (company: Company, coin: Coin) =>
  (await balances(world, company, `${coin}@${second}`))['available'] ?? 0n;

test.each(['USDT', 'ETH'] as const)(
  'in %s: exact, in two parts, too little, too much, late, and swept',
  async (coin) => {
    const company = await world.company();
    const as = await requests.member(company);
    const open = () => requests.open(as, { chainId: second, coin }, '4');
    const [exact, parts, under, over, late] = [await open(), await open(), await open(), await open(), await open()];
    // Each has the same address on both chains.
    expect(exact.addresses.get(chainId)).toBe(addressOf(exact));
    await requests.expire(late);
    await pay(coin, exact, '4');
    await pay(coin, parts, '1.5');
    await pay(coin, under, '1');
    await pay(coin, over, '6');
    await pay(coin, late, '4');
    await advance(1);
    expect(await stateOf(exact)).toEqual({ state: 'processing', causes: [], paid: 0 });
    await advance(depth);
    expect(await stateOf(exact)).toEqual({ state: 'settled', causes: [], paid: 4 });
    expect(await stateOf(parts)).toEqual({ state: 'open', causes: [], paid: 1.5 });
    expect(await stateOf(over)).toEqual({ state: 'unresolved', causes: ['overpaid'], paid: 6 });
    expect(await stateOf(late)).toEqual({ state: 'unresolved', causes: ['late'], paid: 4 });
    await pay(coin, parts, '2.5');
    await advance(depth + 1);
    expect(await stateOf(parts)).toEqual({ state: 'settled', causes: [], paid: 4 });
    await requests.expire(under);
    expect(await stateOf(under)).toEqual({ state: 'unresolved', causes: ['underpaid'], paid: 1 });

    const decimals = coin === 'USDT' ? 6 : 18;
    const all = 19n * 10n ** BigInt(decimals);
    expect(await available(company, coin)).toBe(all);
    await sweeping(4 * depth + 8);
    expect(await available(company, coin)).toBe(all);
    for (const request of [exact, parts, under, over, late]) {
      const left = await chain.treasury.balance(coin, addressOf(request));
      // Of the chain's own coin the advance for the sweep may be there still; of a token nothing is.
      if (coin === 'USDT') expect(left).toBe('0');
      else expect(Number(left)).toBeLessThan(0.01);
    }
    if (coin === 'USDT') expect(await chain.treasury.balance('USDT', company.address)).toBe('19');
    await expectLedgerToAgree(world.db);
  },
);

test.each(['USDT', 'ETH'] as const)('in %s: what a reorganisation takes back takes the state back', async (coin) => {
  const company = await world.company();
  const as = await requests.member(company);
  const request = await requests.open(as, { chainId: second, coin }, '1');
  await advance(depth + 2);
  await pay(coin, request, '1');
  await advance(1);
  expect(await stateOf(request)).toMatchObject({ state: 'processing' });
  await chain.engine.reorganise(1, false);
  await advance(1);
  expect(await stateOf(request)).toEqual({ state: 'open', causes: [], paid: 0 });
  // Credited, and taken back all the same.
  await pay(coin, request, '1');
  await advance(depth + 1);
  expect(await stateOf(request)).toEqual({ state: 'settled', causes: [], paid: 1 });
  await chain.engine.reorganise(depth + 1, false);
  await advance(depth + 2);
  expect(await stateOf(request)).toEqual({ state: 'open', causes: [], paid: 0 });
  expect(await available(company, coin)).toBe(0n);
  await pay(coin, request, '1');
  await advance(depth + 1);
  expect(await stateOf(request)).toEqual({ state: 'settled', causes: [], paid: 1 });
  expect((await requests.detail(request)).receipts.map(({ state }) => state).toSorted()).toEqual([
    'credited',
    'taken_back',
    'taken_back',
  ]);
  await expectLedgerToAgree(world.db);
});

test('what is sent to the address on the other chain is in the wallet there, and waits for a decision', async () => {
  const company = await world.company();
  const as = await requests.member(company);
  const request = await requests.open(as, { chainId: second, coin: 'USDT' }, '1');
  await world.chain.treasury.send('USDT', addressOf(request), '1');
  await world.advance(world.config.confirmations + 1);
  expect(await stateOf(request)).toEqual({ state: 'unresolved', causes: ['wrong_coin'], paid: 0 });
  expect((await balances(world, company, 'USDT'))['available']).toBe(1_000_000n);
});
