import { randomBytes } from 'node:crypto';
import type { Output } from '@causeway/contract/call.ts';
import type { listReceivingAddresses } from '@causeway/contract/wallets.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { chainFamilies, noTrades } from '../../testing/chain-families.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import type { Answer } from '../../testing/envelope.ts';
import { present } from '../../testing/present.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { firstApartOrdinal, pathOf } from '../chains/bitcoin/derivation.ts';
import { findAddressProgress, openFurtherAddress } from '../chains/index.ts';
import { registerWalletsRoutes } from './index.ts';

const path = '/web/crypto/chain/addresses?chain=ethereum';
const firstOfChange = 1_000_000_000;
let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let caller: Caller;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, (app) => registerWalletsRoutes(app, { families: chainFamilies, ...noTrades }));
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  company = await openTestCompany(db);
  caller = http.signIn(company.id, 'viewer');
});

/** Opens addresses at these ordinals, in another form than the account's; returns them. */
async function open(ordinals: readonly number[]): Promise<string[]> {
  const addresses = ordinals.map(() => `bcrt1q${randomBytes(20).toString('hex')}`);
  await db.worker.withCompany(company.id, (tx) =>
    sql`insert into chain_further_address (company_id, chain_id, address, derivation_index)
      select company_id(), 'ethereum', * from unnest(${addresses}::text[], ${[...ordinals]}::bigint[])`.execute(tx),
  );
  return addresses;
}

async function use(address: string): Promise<void> {
  await db.worker.withCompany(company.id, async (tx) => {
    await sql`update chain_address set first_used_at = now() where company_id = company_id() and address = ${address}`.execute(
      tx,
    );
    await sql`update chain_further_address set first_used_at = now() where company_id = company_id() and address = ${address}`.execute(
      tx,
    );
  });
}

test('what was shown before the current address is listed, the newest first; what is still to come and change are not', async () => {
  const [first, second, third] = await open([1, 2, 3]);
  const [change] = await open([firstOfChange]);
  expect((await caller.get(path)).data.items).toEqual([]);
  await use(company.address);
  expect((await caller.get(path)).data.items.map(({ address }) => address)).toEqual([company.address]);
  await use(present(change));
  await use(present(second));
  const { data } = await caller.get(path);
  // The first was passed over: it may have been shown, and stays valid.
  expect(data.items.map(({ address }) => address)).toEqual([second, first, company.address]);
  expect(data.items.map(({ firstUsedAt }) => firstUsedAt !== null)).toEqual([true, false, true]);
  expect(data).toMatchObject({ total: 3, totalExact: true, next: null });
  await use(present(third));
  // None is open beyond the last, which is therefore shown again.
  expect((await caller.get(path)).data.items.map(({ address }) => address)).toEqual([second, first, company.address]);
});

test('each has what it received: final, on its way, and nothing of what was taken away', async () => {
  const [used, next] = await open([1, 2]);
  await use(present(used));
  const deposit = { payeeAccount: present(used) };
  await insertTestTransaction(db, company, { ...deposit, quantityMinor: 2_000_000n });
  await insertTestTransaction(db, company, { ...deposit, quantityMinor: 500_000n });
  await insertTestTransaction(db, company, {
    ...deposit,
    status: 'pending',
    stage: 'seen',
    quantityMinor: 1n,
    coin: 'ETH',
  });
  await insertTestTransaction(db, company, { ...deposit, status: 'failed', stage: 'orphaned', quantityMinor: 7n });
  await insertTestTransaction(db, company, { payeeAccount: present(next), quantityMinor: 9n });
  // What leaves for an address is no deposit at it.
  await insertTestTransaction(db, company, { ...deposit, type: 'chain_withdraw', quantityMinor: 3n });
  const item = present((await caller.get(path)).data.items[0]);
  expect(item.address).toBe(used);
  expect(item.received.toSorted((a, b) => (a.coin < b.coin ? -1 : 1))).toEqual([
    { coin: 'ETH', deposits: 1, credited: '0.000000000000000000', waiting: '0.000000000000000001' },
    { coin: 'USDT', deposits: 2, credited: '2.500000', waiting: '0.000000' },
  ]);
});

test('pages go on where the last one ended', async () => {
  const opened = await open(Array.from({ length: 12 }, (_, index) => index + 1));
  await use(present(opened[10]));
  const first: Answer<Output<typeof listReceivingAddresses>> = await caller.get(`${path}&size=10`);
  expect(first.data.items.map(({ address }) => address)).toEqual(opened.slice(1, 11).toReversed());
  expect(first.data.total).toBe(12);
  const rest = await caller.get(`${path}&size=10&cursor=${first.data.next}`);
  expect(rest.data.items.map(({ address }) => address)).toEqual([opened[0], company.address]);
  expect(rest.data.next).toBeNull();
  expect(await caller.get(`${path}&cursor=nonsense`)).toMatchObject({ key: 'cursorInvalid' });
  expect(await caller.get('/web/crypto/chain/addresses?chain=nowhere')).toMatchObject({ key: 'chainUnknown' });
});

test('a company sees its own addresses, and what was paid to another company’s is not counted', async () => {
  const other = await openTestCompany(db);
  const [used] = await open([1, 2]);
  await use(present(used));
  await insertTestTransaction(db, other, { payeeAccount: present(used) });
  const { data } = await caller.get(path);
  expect(data.items[0]).toEqual({ address: used, firstUsedAt: expect.any(String), received: [] });
  expect((await http.signIn(other.id).get(path)).data.items).toEqual([]);
});

test('an address that is opened apart, of a payment request, is no step of those that are shown one after the other', async () => {
  await open([1, 2, 3]);
  const apart = { address: `bcrt1q${randomBytes(20).toString('hex')}`, ordinal: firstApartOrdinal + 7, isApart: true };
  await db.worker.withCompany(company.id, (tx) => openFurtherAddress(tx, 'ethereum', apart));
  await use(apart.address);
  await use(company.address);
  const progress = await db.worker.withCompany(company.id, (tx) => findAddressProgress(tx, 'ethereum', 0));
  expect(progress).toMatchObject({ lastOpened: 3, lastUsed: 0 });
  expect((await caller.get(path)).data.items.map(({ address }) => address)).toEqual([company.address]);
  expect(pathOf(firstApartOrdinal + 7)).toEqual([0, firstApartOrdinal + 7]);
});
