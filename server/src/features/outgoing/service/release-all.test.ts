import { addCryptoPayee } from '@causeway/contract/payees.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { credit } from '../../../testing/company.ts';
import { expectCompanyBooks, walletBalances } from '../../../testing/company-books.ts';
import { testDatabase } from '../../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../../testing/main-app.ts';
import { succeed } from '../../../testing/succeed.ts';
import { newPayee, transferRequest } from '../../../testing/valid-requests.ts';
import { accountsByKind } from '../../ledger/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { heldFor, releaseAll } from './release.ts';

/** Several payments that no rail has begun end together, as the rows of a batch do: each gives back what it holds, and no other does. */

let world: MainApp;
let tenant: Tenant;
let finance: Member;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
beforeEach(async () => {
  tenant = await world.company();
  finance = await world.member(tenant, 'finance');
});
afterEach(() => expectCompanyBooks(world.db, tenant.id));

const inCompany = <T>(work: (tx: Tx) => Promise<T>) => world.db.worker.withCompany(tenant.id, work);
const whole = 100_000_000n;
const refused = { stage: 'refused', reason: 'stage.reason.stopped' } as const;

type Coin = 'USDT' | 'USDC';

/** Approved, and held with its fee. @returns its id */
async function payment(coin: Coin, amount: string): Promise<string> {
  const body = { ...newPayee(), coin };
  const { id: payeeId } = (await succeed(world, addCryptoPayee, { as: tenant.admin, body })).data;
  const content = { id: newId(), walletId: tenant.wallets[coin], payeeId, amount, attachmentIds: [], notes: '' };
  return (await succeed(world, transferOut, await transferRequest(world, tenant, content, finance))).data.id;
}

const balances = (coin: Coin) => walletBalances(world.db, tenant.id, tenant.wallets[coin]);

async function locked(tx: Tx, ids: readonly string[]): Promise<LifecycleRow[]> {
  const rows: LifecycleRow[] = [];
  for (const id of ids) {
    const row = await lockTransaction(tx, id);
    if (row) rows.push(row);
  }
  return rows;
}

const rowsOf = <Row>(statement: ReturnType<typeof sql<Row>>) =>
  inCompany(async (tx) => (await statement.execute(tx)).rows);

const announced = async () =>
  (
    await rowsOf(sql<{ name: string; payload: Record<string, unknown> }>`
      select name, payload from outbox where company_id = company_id() order by id`)
  ).map(({ name, payload }) => [name, payload]);

const forgetAnnouncements = () =>
  inCompany((tx) => sql`delete from outbox where company_id = company_id()`.execute(tx));

/** What risk counts of the company's transactions. */
const counted = () =>
  rowsOf(sql`
    select sum(transactions)::int as transactions, sum(value_cents) as cents from risk_usage where company_id = company_id()`);

test('each that is still where it may end gives amount and fee back, and what moved on meanwhile keeps its hold', async () => {
  await credit(world.db, tenant, 'USDT', whole);
  await credit(world.db, tenant, 'USDC', whole);
  const [one, another, begun] = [await payment('USDT', '5'), await payment('USDT', '7'), await payment('USDT', '11')];
  const ofOtherWallet = await payment('USDC', '13');
  expect(await counted()).toEqual([{ transactions: 4, cents: 3_600n }]);
  await inCompany((tx) => changeStage(tx, begun, ['approved'], { stage: 'signing' }));
  await forgetAnnouncements();

  const ids = [one, begun, another, ofOtherWallet];
  const ended = await inCompany(async (tx) => releaseAll(tx, await locked(tx, ids), ['approved'], refused));

  expect(ended.map(({ failed }) => failed.id)).toEqual([one, another, ofOtherWallet]);
  expect(await balances('USDT')).toEqual({ available: 88_000_000n, outbound: 12_000_000n, chain: -whole });
  expect(await balances('USDC')).toEqual({ available: whole, chain: -whole });
  const rows = await rowsOf(sql<{ id: string; type: string; stage: string; quantity: bigint }>`
    select id, type, stage, quantity from transaction where company_id = company_id()`);
  const found = new Map(rows.map(({ id, ...row }) => [id, row]));
  expect(ids.map((id) => found.get(id)?.stage)).toEqual(['refused', 'signing', 'refused', 'refused']);
  expect(ended.map(({ refundId }) => found.get(refundId))).toMatchObject([
    { type: 'failed_refund', quantity: 6_000_000n },
    { type: 'failed_refund', quantity: 8_000_000n },
    { type: 'failed_refund', quantity: 14_000_000n },
  ]);
  // Their counts are given back to risk, and that of the one that goes on is not.
  expect(await counted()).toEqual([{ transactions: 1, cents: 1_100n }]);
  expect(await announced()).toEqual([
    ...[one, another, ofOtherWallet].map((id) => ['transaction.reached', { transactionId: id, stage: 'refused' }]),
    ['live', { topic: 'transaction', id: null }],
    ['live', { topic: 'balance', id: null }],
  ]);
});

test('where none may end any more, nothing is written and nothing announced', async () => {
  await credit(world.db, tenant, 'USDT', whole);
  const id = await payment('USDT', '5');
  await forgetAnnouncements();
  expect(await inCompany(async (tx) => releaseAll(tx, await locked(tx, [id]), ['waiting_approval'], refused))).toEqual(
    [],
  );
  expect(await announced()).toEqual([]);
  expect(await balances('USDT')).toEqual({ available: 94_000_000n, outbound: 6_000_000n, chain: -whole });
});

test.each(['crypto_payout', 'fee_withdraw', 'fx_settlement_out'] as const)(
  'is not for a %s, which holds something else than amount and fee',
  async (type) => {
    await credit(world.db, tenant, 'USDT', whole);
    const id = await payment('USDT', '5');
    const ending = inCompany(async (tx) => {
      const rows = await locked(tx, [id]);
      return releaseAll(
        tx,
        rows.map((row) => ({ ...row, type })),
        ['approved'],
        refused,
      );
    });
    await expect(ending).rejects.toThrow('amount and fee are held');
    expect(await balances('USDT')).toEqual({ available: 94_000_000n, outbound: 6_000_000n, chain: -whole });
  },
);

test('what was held for a payment is read of its hold, in the account of what leaves', async () => {
  await credit(world.db, tenant, 'USDT', whole);
  const id = await payment('USDT', '5');
  const { outbound, fee } = await inCompany((tx) => accountsByKind(tx, tenant.wallets.USDT, ['outbound', 'fee']));
  expect(await inCompany((tx) => heldFor(tx, id, outbound.id))).toBe(6_000_000n);
  const other = newId();
  await expect(inCompany((tx) => heldFor(tx, other, outbound.id))).rejects.toThrow(`payment ${other} was held`);
  await expect(inCompany((tx) => heldFor(tx, id, fee.id))).rejects.toThrow('is in its wallet');
});
