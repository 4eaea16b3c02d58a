import { sql } from 'kysely';
import type { Hex } from 'viem';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { expectBooksToAgree } from '../../../testing/chain-books.ts';
import { approvedTransfer, transactions } from '../../../testing/chain-transfers.ts';
import { balances, type ChainWorld, type Company, chainId, chainWorld, depth } from '../../../testing/chain-world.ts';
import { openPayer, type Payer } from '../../../testing/many-transfers.ts';
import { type EvmGateway, watchOnce } from '../../chains/index.ts';
import { evmFamily } from '../evm/family.ts';
import { creditDeposits } from './deposits.ts';
import { createChainListener } from './following.ts';

let world: ChainWorld;
let payer: Payer;
beforeAll(async () => {
  world = await chainWorld();
  payer = await openPayer(world.chain);
  await world.follow();
});
afterAll(() => world.close());

const payee = '0x00000000000000000000000000000000000A11cE';

/** Blocks that are followed, while no job runs. */
async function mine(blocks: number): Promise<void> {
  for (let left = blocks; left > 0; left -= 1) {
    await world.chain.engine.mine(1);
    await world.follow();
  }
}

async function seen(): Promise<{ company: Company; hash: string; blockHash: string }> {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '50');
  await mine(1);
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ hash: string; blockHash: string }>`select hash, block_hash as "blockHash" from deposit
      where company_id = company_id()`.execute(tx),
  );
  const [row] = rows;
  if (!row) throw new Error('the deposit was not seen');
  return { company, ...row };
}

test('what comes in makes good what a reorganisation left missing, first of all and no more than that', async () => {
  const company = await world.company();
  await world.chain.treasury.send('USDT', company.address, '101');
  await mine(depth + 1);
  await approvedTransfer(world, company, { coin: 'USDT', amountMinor: 100_000_000n, payee });
  await world.chain.engine.reorganise(depth + 1, false);
  await world.follow();
  expect(await balances(world, company, 'USDT')).toEqual({ outbound: 101_000_000n, deficit: -101_000_000n });

  await world.chain.treasury.send('USDT', company.address, '30');
  await mine(depth + 1);
  expect(await balances(world, company, 'USDT')).toMatchObject({ outbound: 101_000_000n, deficit: -71_000_000n });
  expect(await balances(world, company, 'USDT')).not.toHaveProperty('available');
  // Many in one block are credited in one call.
  await payer.sendTokens(
    'USDT',
    Array.from({ length: 8 }, () => company.address),
    10_000_000n,
  );
  await mine(depth + 1);
  expect(await balances(world, company, 'USDT')).toMatchObject({ available: 9_000_000n, outbound: 101_000_000n });
  expect(await balances(world, company, 'USDT')).not.toHaveProperty('deficit');
  const { rows } = await world.db.worker.withCompany(company.id, (tx) =>
    sql<{ count: number }>`select count(*) from ledger_posting
      where company_id = company_id() and kind = 'deficit.repaid'`.execute(tx),
  );
  expect(rows).toEqual([{ count: 2 }]);
  await expectBooksToAgree(world);
});

test('a deposit that was read in one block and is in another by now is not credited for the first', async () => {
  const { company, hash, blockHash } = await seen();
  const credit = (block: string) =>
    world.db.worker.withCompany(company.id, (tx) =>
      creditDeposits(tx, chainId, [{ hash, output: 'log:0', blockHash: block, confirmations: depth }]),
    );
  await credit(`0x${'1'.repeat(64)}`);
  expect(await balances(world, company, 'USDT')).toMatchObject({ inbound: 50_000_000n });
  await credit(blockHash);
  expect(await balances(world, company, 'USDT')).toMatchObject({ available: 50_000_000n });
  await credit(blockHash);
  expect(await balances(world, company, 'USDT')).toMatchObject({ available: 50_000_000n });
});

test('a deposit in a block that the watcher has forgotten is credited only while the nodes still have that block', async () => {
  const { company } = await seen();
  await world.chain.engine.mine(depth);
  await world.asSuperuser(`delete from causeway.chain_block where height <= (select height from causeway.chain_cursor);
    insert into causeway.chain_block (chain_id, height, hash) select chain_id, height + 1, '0x' from causeway.chain_cursor`);
  const followWith = (gateway: EvmGateway) => {
    const listener = createChainListener({
      familyOf: () => evmFamily,
      database: world.db.worker,
      gateways: new Map([[chainId, gateway]]),
      log: createLog('test', 'silent'),
    });
    return watchOnce({ database: world.db.worker, gateway, listener, log: createLog('test', 'silent') });
  };
  const hash: Hex = `0x${'2'.repeat(64)}`;
  const elsewhere = async (height: number) => ({ height, hash, parentHash: hash });
  await followWith({ ...world.gateway, block: elsewhere });
  expect(await balances(world, company, 'USDT')).toMatchObject({ inbound: 50_000_000n });
  await followWith(world.gateway);
  expect(await balances(world, company, 'USDT')).toMatchObject({ available: 50_000_000n });
});

test('a deposit that was written into a block already gone is taken away', async () => {
  const { company } = await seen();
  await world.asSuperuser(
    `update causeway.deposit set block_hash = '0x${'3'.repeat(64)}' where company_id = '${company.id}'`,
  );
  await mine(depth + 1);
  expect(await balances(world, company, 'USDT')).toEqual({});
  expect(await transactions(world, company)).toMatchObject([{ stage: 'orphaned', status: 'failed' }]);
});
