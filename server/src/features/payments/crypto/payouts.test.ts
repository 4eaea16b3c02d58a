import { getApproval } from '@causeway/contract/approvals.ts';
import { cancelPayout, createCryptoPayment, getCryptoPaymentOptions } from '@causeway/contract/payments.ts';
import { getPeriodStatement } from '@causeway/contract/statements.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type CryptoPayoutWorld,
  cryptoPayoutWorld,
  paidWithCoins,
  quotedPayout,
} from '../../../testing/crypto-payouts.ts';
import {
  asSuperuser,
  balancesOf as coinBalances,
  decide,
  pendingTask,
  setPrice,
  transactionOf,
} from '../../../testing/exchange-world.ts';
import type { Member } from '../../../testing/main-app.ts';
import {
  balancesOf,
  endToEndOf,
  messageOf,
  notification,
  type PayingCompany,
  paid,
  sentBack,
  statusReport,
} from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';
import { verifyPosition } from '../../exchange/index.ts';
import { verifyLedger } from '../../ledger/index.ts';
import { reconcileBanks } from '../../rails/index.ts';

/** Payments out of coins, from their quote to what the bank says of them. */

const usdt = (whole: number) => BigInt(Math.round(whole * 1_000_000));

let payouts: CryptoPayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  payouts = await cryptoPayoutWorld();
});
beforeEach(async () => {
  await setPrice(payouts.db, 'HKD', '0.128');
  await setPrice(payouts.db, 'USDT', '1');
  company = await payouts.company(1000n);
});
afterAll(async () => {
  expect((await payouts.db.operator.withoutCompany(verifyLedger)).mismatches).toEqual([]);
  expect((await reconcileBanks(payouts.db.operator)).findings).toEqual([]);
  expect((await payouts.db.operator.withoutCompany(verifyPosition)).mismatches).toEqual([]);
  await payouts.close();
});
afterEach(() => expect(payouts.world.complaints.splice(0)).toEqual([]));

const coins = () => coinBalances(payouts.db, company, 'USDT');
const cash = () => balancesOf(payouts, company);
const detail = (id: string) => transactionOf(payouts.world, company, id);
const sent = async (id: string) => {
  await payouts.send(company.id, id);
  await payouts.order();
};

describe('a payment out of coins', () => {
  test('sells what the amount costs at once, and the payee is paid exactly the amount', async () => {
    const { quote, request } = await quotedPayout(payouts, company, { amount: '781.25', remittance: 'Invoice 7' });
    expect(quote).toMatchObject({
      sell: { total: '100.000000', available: '1000.000000' },
      payout: { asset: 'HKD', amount: '781.25', fee: '0.00' },
      inverseRate: '0.128',
      problem: null,
      review: { stop: null, outcome: 'off' },
    });
    const { data } = await succeed(payouts.world, createCryptoPayment, request);
    expect(data).toMatchObject({ status: 'pending', stage: 'approved' });
    expect(await coins()).toEqual({ available: usdt(900), outbound: 0n, fee: 0n, fx: usdt(100) });
    expect(await cash()).toMatchObject({ available: 100n, outbound: 78_125n, fx: -78_125n });
    await sent(data.id);
    const [file] = payouts.folder.take();
    expect(file?.text).toContain('<InstdAmt Ccy="HKD">781.25</InstdAmt>');
    expect(file?.text).toContain('<Ustrd>Invoice 7</Ustrd>');
    await payouts.bankSays(
      statusReport(await messageOf(payouts, data.id), [{ endToEnd: endToEndOf(data.id), status: 'ACSP' }]),
    );
    expect((await detail(data.id)).stage).toBe('accepted');
    await payouts.bankSays(notification([paid(data.id, '781.25')]));
    const done = await detail(data.id);
    expect(done).toMatchObject({
      type: 'crypto_payout',
      stage: 'completed',
      coin: 'USDT',
      quantity: '100.000000',
      exchange: { asset: 'HKD', quantity: '781.25' },
      payout: { paid: { asset: 'HKD', amount: '781.25', fee: '0.00' } },
      exchanged: {
        boughtId: null,
        sell: { asset: 'USDT' },
        buy: { asset: 'HKD' },
        actual: { sold: '100.000000', bought: '781.25' },
      },
      relatedId: null,
    });
    expect(await coins()).toEqual({ available: usdt(900), outbound: 0n, fee: 0n, fx: usdt(100) });
    expect(await cash()).toMatchObject({ available: 100n, outbound: 0n, fx: -78_125n });
  });

  test('that the bank refuses comes back to the wallet of its currency, and both rows say so', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    await sent(id);
    payouts.folder.take();
    await payouts.bankSays(
      statusReport(await messageOf(payouts, id), [{ endToEnd: endToEndOf(id), status: 'RJCT', reason: 'AC04' }]),
    );
    const failed = await detail(id);
    expect(failed).toMatchObject({ stage: 'failed', status: 'failed', failureReason: 'The payee’s account is closed' });
    expect(await detail(present(failed.relatedId))).toMatchObject({
      type: 'failed_refund',
      walletId: company.walletId,
      coin: 'HKD',
      quantity: '781.25',
      relatedId: id,
    });
    expect(await coins()).toMatchObject({ available: usdt(900), outbound: 0n, fx: usdt(100) });
    expect(await cash()).toMatchObject({ available: 78_225n, outbound: 0n });
  });

  test('that is made after its refusal takes the money from the wallet that it came back to', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    await sent(id);
    payouts.folder.take();
    await payouts.bankSays(statusReport(await messageOf(payouts, id), [{ endToEnd: endToEndOf(id), status: 'RJCT' }]));
    await payouts.bankSays(notification([paid(id, '781.25')]));
    expect((await detail(id)).stage).toBe('completed');
    expect(await cash()).toMatchObject({ available: 100n, outbound: 0n });
    expect(await coins()).toMatchObject({ available: usdt(900) });
  });

  test('that the payee’s bank sends back after it was paid comes back in the currency too', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    await sent(id);
    payouts.folder.take();
    await payouts.bankSays(notification([paid(id, '781.25')]));
    await payouts.bankSays(notification([sentBack(id, '780.00')]));
    const returned = await detail(id);
    expect(returned).toMatchObject({ stage: 'returned', status: 'failed' });
    expect(await detail(present(returned.relatedId))).toMatchObject({ coin: 'HKD', quantity: '780.00', relatedId: id });
    expect(await cash()).toMatchObject({ available: 78_100n, outbound: 0n });
  });

  test('waits for its bank, and not for the chain of the coins that were sold', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    const freeze = (walletId: string, to: string | null) =>
      asSuperuser(payouts.db, 'update causeway.wallet set frozen_at = $2::timestamptz where id = $1', [walletId, to]);
    await freeze(company.wallets.USDT, 'now');
    const before = (await detail(id)).waitingFor;
    await freeze(company.walletId, 'now');
    expect((await detail(id)).waitingFor).not.toBe(before);
    await payouts.send(company.id, id);
    expect((await detail(id)).stage).toBe('approved');
    await freeze(company.walletId, null);
    await payouts.send(company.id, id);
    expect((await detail(id)).stage).toBe('instructed');
  });

  test('is in the statements of both wallets', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    await sent(id);
    payouts.folder.take();
    await payouts.bankSays(notification([paid(id, '781.25')]));
    const linesOf = async (walletId: string) => {
      const request = { as: company.admin, params: { id: walletId }, query: { from: '2026-01-01', to: '2030-01-01' } };
      const { data } = await succeed(payouts.world, getPeriodStatement, request);
      return data.items
        .filter(({ transactionId }) => transactionId === id)
        .map(({ amount, value, description }) => [amount, value, description]);
    };
    expect(await linesOf(company.wallets.USDT)).toEqual([['-100.000000', '-100.00', expect.any(String)]]);
    expect(await linesOf(company.walletId)).toEqual([
      ['781.25', '100.00', expect.any(String)],
      ['-781.25', '-100.00', expect.any(String)],
    ]);
  });

  test('offers coin wallets and says through which wallet it pays', async () => {
    const { data } = await succeed(payouts.world, getCryptoPaymentOptions, {
      as: company.admin,
      query: { payeeId: company.payee.id },
    });
    expect(data).toMatchObject({ currency: 'HKD', banks: [{ walletId: company.walletId, cannotPay: null }] });
    expect(data.coins.find(({ asset }) => asset === 'USDT')).toMatchObject({
      available: '1000.000000',
      cannotPay: null,
    });
  });
});

describe('one that waits for approval', () => {
  let approver: Member;
  beforeEach(async () => {
    approver = await payouts.world.member(company, 'approver');
    await reviewOf(payouts.world, company)(true);
  });

  test('holds the most that may leave, and is bought at the rate of the last approval', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25', bound: '101' });
    expect(await coins()).toEqual({ available: usdt(899), outbound: usdt(101), fee: 0n, fx: 0n });
    expect(await cash()).toMatchObject({ available: 100n, outbound: 0n });
    await setPrice(payouts.db, 'HKD', '0.129');
    const taskId = await pendingTask(payouts.world, approver);
    const { data: task } = await succeed(payouts.world, getApproval, { as: approver, params: { id: taskId } });
    expect(task).toMatchObject({
      coin: 'USDT',
      amount: '100.000000',
      facts: [
        { label: 'Payee receives', value: '781.25 HKD' },
        { label: 'Sold at most', value: '101.00 USDT' },
        { label: 'From bank' },
      ],
      content: {
        shape: 'payment',
        bought: { asset: 'HKD', amount: '781.25', bound: '101.000000', now: { sold: '100.781250', withinBound: true } },
        evidence: { balance: { coin: 'USDT', before: '1000.000000', after: '899.000000' } },
      },
    });
    expect((await decide(payouts.world, approver)).status).toBe(200);
    expect(await detail(id)).toMatchObject({
      stage: 'approved',
      quantity: '100.781250',
      exchange: { quantity: '781.25' },
    });
    expect(await coins()).toEqual({ available: usdt(899.21875), outbound: 0n, fee: 0n, fx: usdt(100.78125) });
    expect(await cash()).toMatchObject({ available: 100n, outbound: 78_125n });
    await sent(id);
    payouts.folder.take();
    await payouts.bankSays(notification([paid(id, '781.25')]));
    expect(await detail(id)).toMatchObject({ stage: 'completed' });
  });

  test('ends where it would cost more than the approver saw, and all comes back in coins', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25', bound: '100.5' });
    await setPrice(payouts.db, 'HKD', '0.129');
    expect((await decide(payouts.world, approver)).status).toBe(200);
    const ended = await detail(id);
    expect(ended).toMatchObject({
      stage: 'refused',
      failureReason: 'The rate at approval was outside the accepted limit',
    });
    expect(await detail(present(ended.relatedId))).toMatchObject({ coin: 'USDT', quantity: '100.500000' });
    expect(await coins()).toEqual({ available: usdt(1000), outbound: 0n, fee: 0n, fx: 0n });
  });

  test('is cancelled until it is approved, and not afterwards', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    await succeed(payouts.world, cancelPayout, { as: company.admin, body: { id } });
    expect(await coins()).toMatchObject({ available: usdt(1000), outbound: 0n });
    const other = await paidWithCoins(payouts, company, { amount: '781.25' });
    expect((await decide(payouts.world, approver)).status).toBe(200);
    const { key } = await payouts.world.ask(cancelPayout, { as: company.admin, body: { id: other } });
    expect(key).toBe('payoutNotCancellable');
  });
});
