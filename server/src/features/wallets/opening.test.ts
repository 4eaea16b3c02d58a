import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { addressFromXpub, evmAddresses, sourcesByFamily } from '../chains/index.ts';
import { createWalletOpening, type WalletOpening } from './opening.ts';

const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
const gasTank = '0x00000000000000000000000000000000000000a1';

let db: TestDatabase;
let opening: WalletOpening;
beforeAll(async () => {
  db = await testDatabase();
  opening = createWalletOpening(db.worker, sourcesByFamily([evmAddresses({ xpub, gasTank })]));
});
afterAll(() => db.close());

async function opened(companyId: string) {
  return db.worker.withCompany(companyId, async (tx) => {
    const wallets = await sql<{ coin: string; address: string; index: number; kinds: string[] }>`
      select w.asset_id as coin, a.address, a.derivation_index as index,
        array(select l.kind::text from ledger_account l where l.company_id = w.company_id and l.owner_id = w.id order by l.kind) as kinds
      from wallet w join chain_address a on a.company_id = w.company_id and a.chain_id = w.chain_id
      where w.company_id = company_id() order by w.asset_id`.execute(tx);
    return wallets.rows;
  });
}

test('a company gets one address and a wallet with its accounts for each coin; the native one also keeps gas', async () => {
  const companyId = newId();
  await opening.open(companyId);
  const wallets = await opened(companyId);
  expect(wallets.map((wallet) => wallet.coin)).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
  const plain = ['available', 'chain', 'deficit', 'fee', 'fx', 'inbound', 'outbound'];
  expect(wallets[0]?.kinds).toEqual([...plain.slice(0, 5), 'gas', ...plain.slice(5)]);
  expect(wallets[3]?.kinds).toEqual(plain);
  for (const { address, index } of wallets) expect(address).toBe(addressFromXpub(xpub, index));
});

test('opening again, even many at once, changes nothing', async () => {
  const companyId = newId();
  await Promise.all(Array.from({ length: 8 }, () => opening.open(companyId)));
  const first = await opened(companyId);
  expect(first).toHaveLength(4);
  await opening.open(companyId);
  expect(await opened(companyId)).toEqual(first);
});

test('companies have addresses of their own, and the tank has one that is nobody’s', async () => {
  const [one, two] = [newId(), newId()];
  await Promise.all([opening.open(one), opening.open(two)]);
  await opening.openMissing();
  const addresses = new Set([(await opened(one))[0]?.address, (await opened(two))[0]?.address, gasTank]);
  expect(addresses.size).toBe(3);
});

/** As the configuration does it when a new version starts. */
async function switchUsdc(enabled: boolean): Promise<void> {
  const owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query(`update causeway.chain_asset set enabled = $1 where coin = 'USDC'`, [enabled]);
  await owner.end();
}

test('a coin that was switched on later is opened for everybody', async () => {
  const companyId = newId();
  await switchUsdc(false);
  await opening.open(companyId);
  expect((await opened(companyId)).map((wallet) => wallet.coin)).toEqual(['ETH', 'HKDT', 'USDT']);
  await switchUsdc(true);
  await opening.openMissing();
  expect((await opened(companyId)).map((wallet) => wallet.coin)).toEqual(['ETH', 'HKDT', 'USDC', 'USDT']);
});
