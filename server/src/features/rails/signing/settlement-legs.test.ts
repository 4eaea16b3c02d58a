import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { newAuthorisationKeys } from '../../../platform/crypto/new-keys.ts';
import { createOpenSeal, createSeal, type OpenSeal, type Seal } from '../../../platform/crypto/seal.ts';
import { type Database, openDatabase } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type ExchangeOptions, executedExchange } from '../../../testing/chain-exchanges.ts';
import { credit, openTestCompany, randomAddress, type TestCompany } from '../../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { legKey, mostLegs } from '../settlement/domain.ts';
import type { StoredRecord } from '../store/signing.ts';
import { settlementLegs } from './settlement.ts';

/** One condition of the signer's at a time: all others hold, whatever the database says. */

let db: TestDatabase;
let signer: Database;
let company: TestCompany;
let wallets: Map<string, string>;
let seal: Seal;
let openSeal: OpenSeal;
let owner: pg.Client;
const treasury = randomAddress();
const own = randomAddress();
const soldMinor = 100_000_000n;
const boughtMinor = 99_000_000n;

beforeAll(async () => {
  db = await testDatabase();
  signer = openDatabase(db.urlFor('causeway_signer'), { poolSize: 1, applicationName: 'test-signer' });
  company = await openTestCompany(db);
  wallets = new Map(Object.entries(company.wallets));
  for (const coin of ['USDT', 'USDC', 'HKDT'] as const) await credit(db, company, coin, 1_000_000_000_000n);
  const keys = await newAuthorisationKeys();
  seal = createSeal(JSON.parse(keys.privateKey));
  openSeal = createOpenSeal(JSON.parse(keys.publicKey));
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  await owner.query('set search_path = causeway');
  await owner.query('set session_replication_role = replica');
  // The signer believes none of them.
  await owner.query('alter table settlement_leg drop constraint settlement_leg_pkey');
  await owner.query('alter table exchange drop constraint exchange_within_bound');
});
afterAll(async () => {
  await owner.end();
  await signer.close();
  await db.close();
});

const exchanged = (changed: Partial<ExchangeOptions> = {}) =>
  executedExchange(
    { db, seal },
    { id: company.id, wallets },
    { sell: 'USDT', soldMinor, buy: 'USDC', boughtMinor, ...changed },
  );

interface Settled {
  coin?: string;
  walletId?: string;
  direction?: 'in' | 'out';
  amountMinor?: bigint;
}

/** A settlement of what was bought in these exchanges. */
async function written(exchanges: readonly string[], changed: Settled = {}): Promise<StoredRecord> {
  const id = newId();
  const { coin = 'USDC', direction = 'in', amountMinor = BigInt(exchanges.length) * boughtMinor } = changed;
  const { walletId = wallets.get('USDC') ?? '' } = changed;
  await owner.query(
    `insert into settlement (company_id, id, wallet_id, chain_id, coin, direction, amount, cause)
     values ($1, $2, $3, 'ethereum', $4, $5, $6, 'nightly')`,
    [company.id, id, walletId, coin, direction, amountMinor],
  );
  await owner.query(
    `insert into settlement_leg (company_id, exchange_id, side, settlement_id, amount)
     select $1, exchange_id, 'bought', $2, 1 from unnest($3::uuid[]) exchange_id`,
    [company.id, id, exchanges],
  );
  return {
    ...{ id, companyId: company.id, type: 'fx_settlement_in', walletId, chainId: 'ethereum', coin, amountMinor },
    ...{ payeeId: null, payeeAccount: own, payerAccount: null, notes: '', jws: null, attachmentIds: [], terms: null },
    ...{ registered: { family: 'evm', evmChainId: 1, contract: null } },
    ...{ isFrozen: false, hasEnded: false, isOver: false },
  };
}

const judged = (record: StoredRecord, ofTreasury: string | null = treasury) =>
  signer.withoutCompany((tx) => settlementLegs(tx, { openSeal, treasury: ofTreasury, own: [own] }, record));

test('what was bought is signed, its legs by their names', async () => {
  const id = await exchanged();
  const record = await written([id]);
  expect(await judged(record)).toEqual([legKey({ exchangeId: id, side: 'bought' })]);
  expect(await judged(record, null)).toBeNull();
  expect(await judged({ ...record, payeeAccount: randomAddress() })).toBeNull();
});

test('as many legs as the journal takes, and none more', async () => {
  const exchanges: string[] = [];
  for (let each = 0; each <= mostLegs; each += 1) exchanges.push(await exchanged({ soldMinor: 1000n, boughtMinor }));
  expect(await judged(await written(exchanges.slice(1)))).toHaveLength(mostLegs);
  expect(await judged(await written(exchanges))).toBeNull();
});

describe('what is not signed', () => {
  test('a payment from another wallet, of another coin or in another direction than its settlement', async () => {
    const id = await exchanged();
    const hkdt = wallets.get('HKDT') ?? '';
    expect(
      await judged({ ...(await written([id], { walletId: hkdt })), walletId: wallets.get('USDC') ?? '' }),
    ).toBeNull();
    expect(await judged({ ...(await written([id], { coin: 'HKDT' })), coin: 'USDC' })).toBeNull();
    expect(await judged(await written([id], { direction: 'out' }))).toBeNull();
    // And a settlement of another wallet or coin than the exchange's.
    expect(await judged(await written([id], { walletId: hkdt }))).toBeNull();
    expect(await judged(await written([id], { coin: 'HKDT' }))).toBeNull();
  });

  test('a seal of another company’s exchange', async () => {
    expect(await judged(await written([await exchanged({ claims: { companyId: newId() } })]))).toBeNull();
  });

  test.each(['executed_sold', 'executed_bought'])('an exchange that was executed with another %s', async (column) => {
    const id = await exchanged();
    await owner.query(`update exchange set ${column} = ${column} + 1 where transaction_id = $1`, [id]);
    expect(await judged(await written([id]))).toBeNull();
  });
});
