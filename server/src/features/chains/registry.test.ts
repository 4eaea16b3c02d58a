import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { chainFamilies } from '../../testing/chain-families.ts';
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
const chain = (id: string, chainId: number, tokens: ReturnType<typeof token>[], nativeCoin = 'ETH') => ({
  id,
  family: 'evm' as const,
  name: id,
  chainId,
  rpcUrls: ['http://127.0.0.1:1'],
  confirmations: 6,
  pollIntervalMs: 1000,
  rpcTimeoutMs: 1000,
  blockTimeMs: 12_000,
  replaceAfterBlocks: 10,
  nativeCoin,
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

test('a contract is kept as the chain writes it, however the configuration spells it', async () => {
  const contract = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
  for (const spelling of [contract.toLowerCase(), contract.toUpperCase().replace('0X', '0x')]) {
    await registerChains(db.superuserUrl, chainFamilies, [chain('cased', 3, [{ coin: 'USDT', contract: spelling }])]);
    const { rows } = await owner.query(
      `select contract from causeway.chain_asset where chain_id = 'cased' and coin = 'USDT'`,
    );
    expect(rows).toEqual([{ contract }]);
  }
});

test('what is no longer configured is switched off, and on again when it comes back; fees stay', async () => {
  const [usdt, usdc] = [token('USDT', 1), token('USDC', 2)];
  await registerChains(db.superuserUrl, chainFamilies, [chain('one', 1, [usdt, usdc]), chain('two', 2, [usdt])]);
  expect(await usable()).toEqual(['one ETH', 'one USDC', 'one USDT', 'two ETH', 'two USDT']);
  await owner.query(`update causeway.chain_asset set withdraw_fee = 7 where chain_id = 'one' and coin = 'USDC'`);

  await registerChains(db.superuserUrl, chainFamilies, [chain('one', 1, [usdt])]);
  expect(await usable()).toEqual(['one ETH', 'one USDT']);

  await registerChains(db.superuserUrl, chainFamilies, [chain('one', 1, [usdt, usdc])]);
  expect(await usable()).toEqual(['one ETH', 'one USDC', 'one USDT']);
  const { rows } = await owner.query(
    `select withdraw_fee as fee from causeway.chain_asset where chain_id = 'one' and coin = 'USDC'`,
  );
  expect(rows).toEqual([{ fee: '7' }]);
});

test('a chain with a native coin of its own is configuration: the coin is added with its decimals and minimum', async () => {
  const pol = { coin: 'POL', decimals: 18, minimum: '0.5', priceId: 'polygon-ecosystem-token' };
  await registerChains(db.superuserUrl, chainFamilies, [chain('polygon', 137, [token('USDT', 3)], 'POL')], [pol]);
  expect(await usable()).toEqual(['polygon POL', 'polygon USDT']);
  const assets = () => owner.query(`select decimals, minimum from causeway.asset where id = 'POL'`);
  expect((await assets()).rows).toEqual([{ decimals: 18, minimum: '500000000000000000' }]);
  // The minimum is the operator's from then on; another run leaves it.
  await owner.query(`update causeway.asset set minimum = 7 where id = 'POL'`);
  await registerChains(db.superuserUrl, chainFamilies, [chain('polygon', 137, [], 'POL')], [pol]);
  expect((await assets()).rows).toEqual([{ decimals: 18, minimum: '7' }]);
});

test.each([
  [
    'an unknown native coin',
    'BNB',
    [],
    /^CHAINS_FILE: chain two names BNB, which is not a known coin \(BTC, ETH.*Add it under "coins"/,
  ],
  ['a native coin that is not counted in wei', 'USDC', [], /^CHAINS_FILE: USDC cannot be the native coin of two/],
  [
    'other decimals for a known coin',
    'ETH',
    [{ coin: 'USDT', decimals: 18, minimum: '1' }],
    /^CHAINS_FILE: USDT has 6 decimals here/,
  ],
  [
    'a minimum finer than the coin',
    'ETH',
    [{ coin: 'JPYC', decimals: 2, minimum: '0.001' }],
    /minimum of JPYC is no amount of at most 2 decimals/,
  ],
])('%s is refused in one sentence, and nothing changes', async (_, nativeCoin, coins, sentence) => {
  const before = await usable();
  await expect(
    registerChains(db.superuserUrl, chainFamilies, [chain('two', 2, [], nativeCoin)], coins),
  ).rejects.toThrow(sentence);
  expect(await usable()).toEqual(before);
});
