import { type Chain, startChain } from '@causeway/sandbox/chain.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createEvmGateway, type EvmGateway } from '../features/chains/index.ts';
import { reconcileChain } from '../features/rails/index.ts';
import type { EvmChainConfig } from '../platform/config/chains.ts';
import { approvedTransfer, transactions } from '../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld } from '../testing/chain-world.ts';
import { expectLedgerToAgree } from '../testing/company-books.ts';

/**
 * Another EVM chain is a matter of configuration: the same binary, one more entry in CHAINS_FILE, migrate and a restart. The
 * sandbox's contracts have the same addresses on both chains, as a company has: nothing but the chain tells them apart.
 */

const second = 'harbour';
const secondDepth = 2;
const payee = '0x00000000000000000000000000000000000A11cE';

let world: ChainWorld;
let chain: Chain;
let gateway: EvmGateway;
let config: EvmChainConfig;
let early: Company;
beforeAll(async () => {
  [world, chain] = await Promise.all([chainWorld(), startChain({ autoMining: false, chainId: 31_338 })]);
  early = await world.company();
  config = {
    ...world.config,
    id: second,
    name: 'Harbour',
    chainId: chain.chainId,
    rpcUrls: [...chain.urls],
    confirmations: secondDepth,
    tokens: [{ coin: 'USDT', contract: chain.treasury.contracts.USDT }],
  };
  gateway = createEvmGateway(config);
});
afterAll(async () => {
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

/** What `chain:verify` prints, for both chains. */
async function expectChainsToAgree(): Promise<void> {
  for (const own of [world.gateway, gateway]) {
    const { height, mismatches } = await reconcileChain(world.db.operator, own);
    expect(height).not.toBeNull();
    expect(mismatches).toEqual([]);
  }
}

test('nodes of another chain than the configuration says are not believed', async () => {
  const wrong = createEvmGateway({ ...config, chainId: 31_337 });
  await expect(wrong.head()).rejects.toThrow('serves chain 31338, not 31337');
});

test('money on the chain before it is configured is found from the block on that is named', async () => {
  await chain.treasury.send('USDT', early.address, '40');
  await chain.engine.mine(1);
  config = { ...config, startBlock: Number(await chain.request('eth_blockNumber', [])) };
  for (const blocks of [500, 500, 200]) await chain.engine.mine(blocks);
});

test('wallets appear for companies that were there, and for new ones', async () => {
  await world.configure([world.config, config]);
  const late = await world.company();
  for (const company of [await world.reread(early), late]) {
    expect([...company.wallets.keys()].sort()).toEqual(['ETH', 'ETH@harbour', 'HKDT', 'USDC', 'USDT', 'USDT@harbour']);
  }
  early = await world.reread(early);
  const { rows } = await world.db.worker.withCompany(early.id, (tx) =>
    sql`select distinct address, derivation_index from chain_address where company_id = company_id()`.execute(tx),
  );
  expect(rows).toHaveLength(1);
});

test('what had arrived before and what arrives now is credited there, and nowhere else', async () => {
  await chain.treasury.send('ETH', world.gasTank, '10');
  await chain.treasury.send('ETH', early.address, '0.5');
  await advance(secondDepth + 1);
  await chain.treasury.send('USDT', early.address, '60');
  await advance(secondDepth + 1);
  expect(await balances(world, early, 'USDT@harbour')).toMatchObject({ available: 100_000_000n });
  expect(await balances(world, early, 'ETH@harbour')).toMatchObject({ available: 500_000_000_000_000_000n });
  await world.advance(3);
  expect(await balances(world, early, 'USDT')).toEqual({});
  expect(await balances(world, early, 'ETH')).toEqual({});
  await expectChainsToAgree();
});

test('transfers go out on it, the network fee from the tank on the same chain, while the other chain goes on', async () => {
  await world.chain.treasury.send('USDT', early.address, '30');
  await world.advance(4);
  const out = { coin: 'USDT', amountMinor: 20_000_000n, payee };
  const there = await approvedTransfer(world, early, { ...out, chain: second });
  const here = await approvedTransfer(world, early, { ...out, amountMinor: 10_000_000n });
  await world.work();
  for (let round = 0; round < 8; round += 1) {
    await advance(1);
    await world.advance(1);
    await expectChainsToAgree();
  }
  const done = new Map((await transactions(world, early)).map((transaction) => [transaction.id, transaction]));
  for (const id of [there, here]) expect(done.get(id)).toMatchObject({ status: 'completed', stage: 'completed' });
  expect(await chain.treasury.balance('USDT', payee)).toBe('20');
  expect(await world.chain.treasury.balance('USDT', payee)).toBe('10');
  await expectLedgerToAgree(world.db);
});

test('an authorisation for one chain sends nothing on the other', async () => {
  const id = await approvedTransfer(world, early, { coin: 'USDT', chain: second, amountMinor: 5_000_000n, payee });
  await world.asSuperuser(`update causeway.transaction set chain_id = '${chainId}' where id = '${id}'`);
  await world.work().catch(() => undefined);
  const [row] = (await transactions(world, early)).filter((transaction) => transaction.id === id);
  expect(row).toMatchObject({ status: 'failed', stage: 'refused' });
});

test('one that is taken out of the configuration is switched off, and keeps what is on it', async () => {
  await world.configure([world.config]);
  const newcomer = await world.company();
  expect([...newcomer.wallets.keys()].sort()).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
  expect((await world.reread(early)).wallets.has('USDT@harbour')).toBe(true);
  await expectLedgerToAgree(world.db);
});
