import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { exampleBank, registerTestBanks } from '../../testing/bank-registry.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { luhn } from '../banks/account-numbers.ts';
import { isIso11649 } from '../banks/messages/references.ts';
import { evmAddresses, sourcesByFamily } from '../chains/index.ts';
import { createWalletOpening, type WalletOpening } from './opening.ts';

const rounds = Number(process.env['PROOF_ROUNDS'] ?? 8);
const xpub =
  'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
const gasTank = '0x00000000000000000000000000000000000000a1';
const treasury = '0x00000000000000000000000000000000000000a2';

let db: TestDatabase;
let owner: pg.Client;
let opening: WalletOpening;
beforeAll(async () => {
  db = await testDatabase();
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
  opening = createWalletOpening(db.worker, sourcesByFamily([evmAddresses({ xpub, gasTank, treasury })]));
});
afterAll(async () => {
  await owner.end();
  await db.close();
});

async function signUp(name = 'Pearl River Trading Limited'): Promise<string> {
  const id = newId();
  await db.app.withCompany(id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), ${name})`.execute(tx),
  );
  return id;
}

interface Opened {
  asset: string;
  number: string;
  holder: string;
  reference: string;
  accounts: number;
}

async function openedBy(companyId: string): Promise<Opened[]> {
  const { rows } = await owner.query<Opened>(
    `select w.asset_id as asset, b.account_number as number, b.holder_name as holder, b.reference,
       (select count(*)::integer from causeway.ledger_account l where l.company_id = w.company_id and l.owner_id = w.id) as accounts
     from causeway.wallet w join causeway.bank_account b using (company_id, bank_id, asset_id)
     where w.company_id = $1 order by 1`,
    [companyId],
  );
  return rows;
}

/** In the order of the assets. */
const assets = ['HKD', 'JPY', 'USD'];

test('a company gets an account of its own in each currency, with a number of the range, its check digit and a reference', async () => {
  await registerTestBanks(db);
  const companyId = await signUp('珠江貿易有限公司');
  await opening.open(companyId);
  const opened = await openedBy(companyId);
  expect(opened.map(({ asset }) => asset)).toEqual(assets);
  for (const { number, holder, reference, accounts } of opened) {
    expect(number).toMatch(/^999001\d{8}$/);
    expect(luhn(number.slice(0, -1))).toBe(number.at(-1));
    expect(holder).toBe('珠江貿易有限公司');
    expect(reference.endsWith(number)).toBe(true);
    expect(isIso11649(reference)).toBe(true);
    expect(accounts).toBe(7);
  }
  expect(new Set(opened.map(({ number }) => number)).size).toBe(assets.length);
});

test(`in ${rounds} races of companies that are opened several times at once, each has one wallet for each currency and no number is given twice`, async () => {
  await registerTestBanks(db);
  const all: string[] = [];
  for (let round = 0; round < rounds; round++) {
    const companies = await Promise.all([signUp(), signUp(), signUp()]);
    all.push(...companies);
    await Promise.all([...companies, ...companies].map((id) => opening.open(id)));
    await opening.openMissing();
  }
  const opened = await Promise.all(all.map(openedBy));
  expect(opened.filter((wallets) => wallets.map(({ asset }) => asset).join() !== assets.join())).toEqual([]);
  const numbers = opened.flat().map(({ number }) => number);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('a currency that is switched on later is opened for every company, and one that is off for none', async () => {
  const { currencies } = exampleBank();
  const without = currencies.map((each) => (each.currency === 'JPY' ? { ...each, enabled: false } : each));
  await registerTestBanks(db, [exampleBank({ currencies: without })]);
  const companyId = await signUp();
  await opening.open(companyId);
  expect((await openedBy(companyId)).map(({ asset }) => asset)).toEqual(['HKD', 'USD']);
  const before = await openedBy(companyId);
  await registerTestBanks(db);
  await opening.openMissing();
  const after = await openedBy(companyId);
  expect(after.map(({ asset }) => asset)).toEqual(assets);
  expect(after.filter(({ asset }) => asset !== 'JPY')).toEqual(before);
});

test('a bank that is off, or has no range, opens no account', async () => {
  await registerTestBanks(db, [exampleBank({ enabled: false })]);
  const companyId = await signUp();
  await opening.open(companyId);
  expect(await openedBy(companyId)).toEqual([]);
  await registerTestBanks(db, [exampleBank({ accounts: undefined })]);
  await opening.openMissing();
  expect(await openedBy(companyId)).toEqual([]);
});

test('a range that is used up stops nothing but further accounts, which are opened when it is larger', async () => {
  await registerTestBanks(db);
  await owner.query(`update causeway.bank_account_range set next_number = 10 ^ 7 - 1`);
  const companyId = await signUp();
  await opening.open(companyId);
  expect((await openedBy(companyId)).map(({ number }) => number)).toEqual([`9990019999999${luhn('9990019999999')}`]);
  const coins = await owner.query(`select from causeway.wallet where company_id = $1 and chain_id is not null`, [
    companyId,
  ]);
  expect(coins.rowCount).toBeGreaterThan(0);
  const { accounts } = exampleBank();
  if (!accounts) throw new Error('the example has a range');
  await registerTestBanks(db, [exampleBank({ accounts: { ...accounts, digits: 8 } })]);
  await opening.openMissing();
  expect((await openedBy(companyId)).map(({ asset }) => asset)).toEqual(assets);
});

test('while restore mode holds, no account is opened; afterwards they are', async () => {
  const known = await signUp();
  await registerTestBanks(db, []);
  await opening.open(known);
  await registerTestBanks(db, [exampleBank({ accounts: { prefix: '999001', digits: 9, first: 0 } })]);
  await owner.query(`insert into causeway.restore_mode (cause, reason, begun_by) values ('operator', 'test', 'ada')`);
  await opening.openMissing();
  expect(await openedBy(known)).toEqual([]);
  await owner.query(
    `update causeway.restore_mode set released_at = now(), released_by = 'ada', release_reason = 'test'`,
  );
  await opening.openMissing();
  expect((await openedBy(known)).map(({ asset }) => asset)).toEqual(assets);
});
