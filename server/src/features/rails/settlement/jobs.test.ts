import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { executedExchange } from '../../../testing/chain-exchanges.ts';
import { fundedCompany } from '../../../testing/chain-transfers.ts';
import { type ChainWorld, type Company, chainWorld, walletOf } from '../../../testing/chain-world.ts';
import { keepTestPrices } from '../../../testing/prices.ts';
import { settleDue } from './jobs.ts';
import { findSettledWallet, insertSettlement } from './store.ts';

/** Settlements by the clock. */

let world: ChainWorld;
let company: Company;
beforeAll(async () => {
  world = await chainWorld();
  company = await fundedCompany(world, '50000');
  await keepTestPrices(world.db);
});
afterAll(() => world.close());

const made = async (): Promise<string[]> =>
  (
    await world.db.worker.withCompany(company.id, (tx) =>
      sql<{ said: string }>`select concat_ws(' ', coin, direction, amount, cause) as said from settlement
        where company_id = company_id() order by coin, id`.execute(tx),
    )
  ).rows.map(({ said }) => said);

const exchange = (soldMinor: bigint, boughtMinor: bigint) =>
  executedExchange(world, company, { sell: 'USDT', soldMinor, buy: 'USDC', boughtMinor });

test('what is worth less than the threshold waits for the night; a frozen wallet and a coin that is off wait longer', async () => {
  await exchange(9_000_000_000n, 8_990_000_000n);
  await settleDue(world.db.worker, 'threshold');
  expect(await made()).toEqual([]);
  await exchange(1_200_000_000n, 1_009_000_000n);
  await settleDue(world.db.worker, 'threshold');
  expect(await made()).toEqual(['USDT out 10200000000 threshold']);

  const usdc = walletOf(company, 'USDC');
  await world.asSuperuser(`update causeway.wallet set frozen_at = now(), frozen_reason = 'test' where id = '${usdc}'`);
  await settleDue(world.db.worker, 'nightly');
  await world.asSuperuser(`update causeway.wallet set frozen_at = null, frozen_reason = null where id = '${usdc}';
    update causeway.chain_asset set withdrawals_paused = true where coin = 'USDC'`);
  await settleDue(world.db.worker, 'nightly');
  expect(await made()).toEqual(['USDT out 10200000000 threshold']);

  await world.asSuperuser(`update causeway.chain_asset set withdrawals_paused = false where coin = 'USDC'`);
  await world.asSuperuser(
    `insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'test')`,
  );
  await settleDue(world.db.worker, 'nightly');
  expect(await made()).toHaveLength(1);
  await world.asSuperuser(
    `update causeway.restore_mode set released_at = now(), released_by = 'test', release_reason = 'test'`,
  );
  await Promise.all([settleDue(world.db.worker, 'nightly'), settleDue(world.db.worker, 'threshold')]);
  expect((await made()).map((said) => said.replace(/ \w+$/, ''))).toEqual([
    'USDC in 9999000000',
    'USDT out 10200000000',
  ]);
});

test('the database takes a leg with its exchange’s wallet and amount alone; the signer reads no balances', async () => {
  const exchangeId = await exchange(5_000_000n, 4_000_000n);
  const insert = (side: 'sold' | 'bought', coin: string, amountMinor: bigint) =>
    world.db.worker.withCompany(company.id, async (tx) => {
      const wallet = await findSettledWallet(tx, walletOf(company, coin));
      if (!wallet) throw new Error('the wallet is there');
      const legs = [{ exchangeId, side, amountMinor }];
      await insertSettlement(tx, { id: newId(), wallet, direction: 'in', amountMinor, cause: 'nightly', legs });
    });
  await expect(insert('bought', 'USDC', 4_000_001n)).rejects.toThrow('is no leg of settlement');
  await expect(insert('bought', 'USDT', 4_000_000n)).rejects.toThrow('is no leg of settlement');
  await expect(insert('sold', 'USDT', 4_000_000n)).rejects.toThrow('is no leg of settlement');
  await insert('bought', 'USDC', 4_000_000n);

  const read = (columns: string) =>
    world.signerDatabase.withoutCompany((tx) => sql.raw(`select ${columns} from causeway.ledger_account`).execute(tx));
  await expect(read('balance')).rejects.toThrow('permission denied');
  expect((await read('kind')).rows.length).toBeGreaterThan(0);
});
