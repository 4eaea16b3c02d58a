import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { registerChains } from './registry.ts';

let db: TestDatabase;
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

const token = (coin: string, digit: number) => ({ coin, contract: `0x${String(digit).repeat(40)}` });
const chain = (id: string, chainId: number, tokens: ReturnType<typeof token>[]) => ({
  id,
  family: 'evm' as const,
  name: id,
  chainId,
  rpcUrls: ['http://127.0.0.1:1'],
  confirmations: 6,
  pollIntervalMs: 1000,
  rpcTimeoutMs: 1000,
  nativeCoin: 'ETH',
  explorerUrl: null,
  tokens,
});

async function usable(): Promise<string[]> {
  const { rows } = await owner.query<{ name: string }>(
    `select c.id || ' ' || a.coin as name from causeway.chain c join causeway.chain_asset a on a.chain_id = c.id
     where c.enabled and a.enabled order by 1`,
  );
  return rows.map(({ name }) => name);
}

test('what is no longer configured is switched off, and on again when it comes back; fees stay', async () => {
  const [usdt, usdc] = [token('USDT', 1), token('USDC', 2)];
  await registerChains(db.superuserUrl, [chain('one', 1, [usdt, usdc]), chain('two', 2, [usdt])]);
  expect(await usable()).toEqual(['one ETH', 'one USDC', 'one USDT', 'two ETH', 'two USDT']);
  await owner.query(`update causeway.chain_asset set withdraw_fee = 7 where chain_id = 'one' and coin = 'USDC'`);

  await registerChains(db.superuserUrl, [chain('one', 1, [usdt])]);
  expect(await usable()).toEqual(['one ETH', 'one USDT']);

  await registerChains(db.superuserUrl, [chain('one', 1, [usdt, usdc])]);
  expect(await usable()).toEqual(['one ETH', 'one USDC', 'one USDT']);
  const { rows } = await owner.query(
    `select withdraw_fee as fee from causeway.chain_asset where chain_id = 'one' and coin = 'USDC'`,
  );
  expect(rows).toEqual([{ fee: '7' }]);
});
