import { getApproval, withdrawApproval } from '@causeway/contract/approvals.ts';
import { cancelExchange, exchange } from '@causeway/contract/exchange.ts';
import { exportJWK, generateKeyPair } from 'jose';
import { sql } from 'kysely';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createOpenSeal } from '../../platform/crypto/seal.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { intentOf, quotedExchange } from '../../testing/exchange-requests.ts';
import { balancesOf, decide, pendingTask, setPrice, transactionOf } from '../../testing/exchange-world.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { verifyLedger } from '../ledger/index.ts';
import { exchangeClaims } from './seal.ts';

const eth = (tenths: number) => BigInt(tenths) * 10n ** 17n;
const usdt = (whole: number) => BigInt(whole) * 1_000_000n;

let world: MainApp;
let openSeal: ReturnType<typeof createOpenSeal>;
let tenant: Tenant;
let approver: Member;
beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('EdDSA', { extractable: true });
  openSeal = createOpenSeal(await exportJWK(publicKey));
  world = await mainApp(await testDatabase(), undefined, { authorisationKey: await exportJWK(privateKey) });
});
beforeEach(async () => {
  tenant = await world.company();
  approver = await world.member(tenant, 'approver');
  await credit(world.db, tenant, 'USDT', usdt(1000));
  await setPrice(world.db, 'ETH', '2500');
  await reviewOf(world, tenant)(true);
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

const balances = (coin: keyof Tenant['wallets']) => balancesOf(world.db, tenant, coin);
/** Submits an exchange of 250 USDT for ETH, of which at least `bound` must arrive; returns its id. */
async function sell(bound: string): Promise<string> {
  const { request } = await quotedExchange(
    world,
    tenant.admin,
    intentOf(tenant, 'USDT', 'ETH', { fixed: 'sell', amount: '250', bound }),
  );
  const { data } = await succeed(world, exchange, request);
  expect(data).toMatchObject({ status: 'pending', stage: 'waiting_approval', boughtId: null });
  return data.id;
}

async function sealOf(id: string) {
  const { rows } = await world.db.app.withCompany(tenant.id, (tx) =>
    sql<{ jws: string }>`select jws from exchange_seal where company_id = company_id() and exchange_id = ${id}`.execute(
      tx,
    ),
  );
  return rows.map(({ jws }) => exchangeClaims.parse(openSeal('causeway-exchange', jws)));
}

async function booksClose(): Promise<void> {
  expect(await world.db.operator.withoutCompany((tx) => verifyLedger(tx))).toMatchObject({ mismatches: [] });
}

describe('an exchange that waits for approval', () => {
  test('holds what is sold, and is executed at the rate of the moment of the last approval', async () => {
    const id = await sell('0.099');
    expect(await balances('USDT')).toEqual({ available: usdt(750), outbound: usdt(250), fee: 0n, fx: 0n });
    await setPrice(world.db, 'ETH', '2525.2525');
    const taskId = await pendingTask(world, approver);
    const { data: task } = await succeed(world, getApproval, { as: approver, params: { id: taskId } });
    expect(task).toMatchObject({ name: 'Exchange of USDT for ETH', amount: '250.000000', party: null });
    expect(task.content).toMatchObject({
      shape: 'exchange',
      bound: '0.099000000000000000',
      buy: { quantity: '0.100000000000000000' },
      now: { bought: '0.099000000990000009', withinBound: true },
      balance: { before: '1000.000000', after: '750.000000' },
      risk: { allowed: true },
    });
    expect((await decide(world, approver)).status).toBe(200);
    const out = await transactionOf(world, tenant, id);
    expect(out).toMatchObject({ stage: 'completed', quantity: '250.000000', decisions: [{ outcome: 'approved' }] });
    expect(out.timeline.map(({ stage }) => stage)).toEqual(['submitted', 'waiting_approval', 'approved', 'completed']);
    expect(out.exchanged).toMatchObject({
      estimated: { bought: '0.100000000000000000' },
      actual: { bought: '0.099000000990000009' },
    });
    const bought = await transactionOf(world, tenant, present(out.relatedId));
    expect(bought).toMatchObject({ type: 'crypto_exchange_in', quantity: '0.099000000990000009', relatedId: id });
    expect(await balances('USDT')).toEqual({ available: usdt(750), outbound: 0n, fee: 0n, fx: usdt(250) });
    expect(await balances('ETH')).toMatchObject({ available: 99_000_000_990_000_009n, fx: -99_000_000_990_000_009n });
    expect(await sealOf(id)).toMatchObject([
      { companyId: tenant.id, exchangeId: id, sold: '250000000', fee: '0', bought: '99000000990000009' },
    ]);
    await booksClose();
  });

  test('ends where the rate is outside the bound, and its hold is given back', async () => {
    const id = await sell('0.1');
    await setPrice(world.db, 'ETH', '2501');
    expect((await decide(world, approver)).status).toBe(200);
    const out = await transactionOf(world, tenant, id);
    expect(out).toMatchObject({
      status: 'failed',
      stage: 'refused',
      failureReason: 'The rate at approval was outside the accepted limit',
    });
    expect(await transactionOf(world, tenant, present(out.relatedId))).toMatchObject({
      type: 'failed_refund',
      quantity: '250.000000',
    });
    expect(await balances('USDT')).toEqual({ available: usdt(1000), outbound: 0n, fee: 0n, fx: 0n });
    expect(await sealOf(id)).toEqual([]);
    await booksClose();
  });

  test('ends where there is no price', async () => {
    const id = await sell('0.05');
    await setPrice(world.db, 'ETH', '2500', 61_000);
    expect((await decide(world, approver)).status).toBe(200);
    expect(await transactionOf(world, tenant, id)).toMatchObject({
      stage: 'refused',
      failureReason: 'No price could be quoted at approval',
    });
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000), outbound: 0n });
  });

  test('of a fixed amount holds the most that may leave; what the rate spares comes back', async () => {
    const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1', bound: '252.5' });
    const { request } = await quotedExchange(world, tenant.admin, intent);
    const { id } = (await succeed(world, exchange, request)).data;
    expect(await balances('USDT')).toMatchObject({ available: 747_500_000n, outbound: 252_500_000n });
    await setPrice(world.db, 'ETH', '2510');
    expect((await decide(world, approver)).status).toBe(200);
    expect(await transactionOf(world, tenant, id)).toMatchObject({ stage: 'completed', quantity: '251.000000' });
    expect(await balances('USDT')).toEqual({ available: usdt(749), outbound: 0n, fee: 0n, fx: usdt(251) });
    expect(await balances('ETH')).toMatchObject({ available: eth(1), fx: -eth(1) });
    await booksClose();
  });

  test('of a fixed amount gives all of its hold back when it is rejected', async () => {
    const intent = intentOf(tenant, 'USDT', 'ETH', { fixed: 'buy', amount: '0.1', bound: '252.5' });
    const { request } = await quotedExchange(world, tenant.admin, intent);
    const { id } = (await succeed(world, exchange, request)).data;
    expect((await decide(world, approver, 'rejected')).status).toBe(200);
    const out = await transactionOf(world, tenant, id);
    expect(await transactionOf(world, tenant, present(out.relatedId))).toMatchObject({ quantity: '252.500000' });
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000), outbound: 0n });
    await booksClose();
  });

  test('is cancelled by its initiator alone, until it is executed', async () => {
    const id = await sell('0.05');
    const colleague = await world.member(tenant, 'finance');
    expect((await world.ask(cancelExchange, { as: colleague, body: { id } })).key).toBe('exchangeNotOwn');
    const { data } = await succeed(world, cancelExchange, { as: tenant.admin, body: { id } });
    expect(await transactionOf(world, tenant, present(data.refundId))).toMatchObject({ type: 'failed_refund' });
    expect(await balances('USDT')).toMatchObject({ available: usdt(1000), outbound: 0n });
    expect((await world.ask(cancelExchange, { as: tenant.admin, body: { id } })).key).toBe('exchangeNotCancellable');
    const other = await sell('0.05');
    expect((await decide(world, approver)).status).toBe(200);
    expect((await world.ask(cancelExchange, { as: tenant.admin, body: { id: other } })).key).toBe(
      'exchangeNotCancellable',
    );
  });

  test('is taken back from the list of approvals too', async () => {
    const id = await sell('0.05');
    const taskId = await pendingTask(world, approver);
    await succeed(world, withdrawApproval, { as: tenant.admin, body: { id: taskId } });
    expect(await transactionOf(world, tenant, id)).toMatchObject({ stage: 'cancelled' });
  });
});
