import { editBankPayee } from '@causeway/contract/bank-payees.ts';
import {
  createCryptoPayment,
  createPayment,
  getCryptoPaymentOptions,
  quoteCryptoPayment,
} from '@causeway/contract/payments.ts';
import type { RiskContent } from '@causeway/contract/risk.ts';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { newBankAccount } from '../../../testing/bank-payee-requests.ts';
import {
  type CryptoPayoutWorld,
  cryptoPayoutWorld,
  paidWithCoins,
  quotedPayout,
} from '../../../testing/crypto-payouts.ts';
import {
  asSuperuser,
  balancesOf as coinBalances,
  moveExpiry,
  setPrice,
  transactionOf,
} from '../../../testing/exchange-world.ts';
import { setLimit } from '../../../testing/exchanges.ts';
import { balancesOf, type PayingCompany } from '../../../testing/payouts.ts';
import { enact, forbidding } from '../../../testing/risk.ts';
import { succeed } from '../../../testing/succeed.ts';
import { reviewOf } from '../../../testing/transaction-requests.ts';

/** What refuses a payment out of coins, by key and field; and what policies see of one. */

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
afterAll(() => payouts.close());
afterEach(() => expect(payouts.world.complaints.splice(0)).toEqual([]));

/** Submits what was quoted, changed; nothing of it may be left where it is refused. */
async function submit(amount: string, change: Record<string, unknown> = {}, bound?: string) {
  const { request } = await quotedPayout(payouts, company, { amount, ...(bound === undefined ? {} : { bound }) });
  const answer = await payouts.world.ask(createCryptoPayment, { ...request, body: { ...request.body, ...change } });
  return { key: answer.key, fields: Object.keys(answer.fields), request };
}
async function nothingMoved(): Promise<void> {
  expect(await coinBalances(payouts.db, company, 'USDT')).toMatchObject({
    available: 1_000_000_000n,
    outbound: 0n,
    fx: 0n,
  });
  expect(await balancesOf(payouts, company)).toMatchObject({ available: 100n, outbound: 0n, fx: 0n });
}

describe('a quote that is not for it', () => {
  test('of nothing, of another amount, used, expired, and worse than what was accepted', async () => {
    expect(await submit('781.25', { quoteId: newId() })).toMatchObject({ key: 'quoteNotFound' });
    const other = await quotedPayout(payouts, company, { amount: '700' });
    expect(await submit('781.25', { quoteId: other.quote.id })).toMatchObject({ key: 'quoteOfAnother' });
    const late = await quotedPayout(payouts, company, { amount: '781.25' });
    await moveExpiry(payouts.db, late.quote.id, '-1 second');
    expect((await payouts.world.ask(createCryptoPayment, late.request)).key).toBe('quoteExpired');
    expect(await submit('781.25', {}, '99')).toMatchObject({ key: 'exchangeOutOfBound' });
    await nothingMoved();
    const { request } = await submit('781.25');
    const again = { ...(await quotedPayout(payouts, company, { amount: '781.25' })).request };
    const used = { ...again, body: { ...again.body, quoteId: request.body['quoteId'] } };
    expect((await payouts.world.ask(createCryptoPayment, used)).key).toBe('quoteUsed');
  });

  test('while there is no price, or the position has no room', async () => {
    const asked = { walletId: company.wallets.USDT, bankWalletId: company.walletId, payeeId: company.payee.id };
    const quote = () =>
      payouts.world.ask(quoteCryptoPayment, { as: company.admin, body: { ...asked, amount: '781.25' } });
    await setPrice(payouts.db, 'HKD', '0.128', 'stale');
    expect((await quote()).key).toBe('quoteUnavailable');
    await setPrice(payouts.db, 'HKD', '0.128');
    await setLimit(payouts.db, 'HKD', { mostShort: '1000' });
    expect((await quote()).key).toBe('quoteUnavailable');
    await setLimit(payouts.db, 'HKD', {});
    expect((await quote()).key).toBe(null);
  });
});

describe('a payment that its bank could not make', () => {
  test.each([
    ['feeChanged', 'fee', { fee: '1.00' }],
    ['payeeNotFound', 'payeeId', { payeeId: newId() }],
    ['payoutNotAtBank', 'bankWalletId', 'coins'],
    ['walletNotFound', undefined, 'cash'],
    ['exchangeTooSmall', 'bound', { bound: '0' }],
  ] as const)('%s at %s', async (key, field, how) => {
    const change =
      how === 'coins'
        ? { bankWalletId: company.wallets.ETH }
        : how === 'cash'
          ? { walletId: company.walletId, bankWalletId: company.wallets.USDT }
          : how;
    expect(await submit('781.25', change)).toMatchObject({ key, fields: field === undefined ? [] : [field] });
    await nothingMoved();
  });

  test('since its payee’s account is another by now', async () => {
    const { request } = await quotedPayout(payouts, company, { amount: '781.25' });
    const { id, versionId } = company.payee;
    const body = { id, versionId, ...newBankAccount() };
    await succeed(payouts.world, editBankPayee, { as: company.admin, body });
    const answer = await payouts.world.ask(createCryptoPayment, request);
    expect([answer.key, Object.keys(answer.fields)]).toEqual(['payeeAccountChanged', ['payeeId']]);
    await nothingMoved();
  });

  test('since its wallet at the bank is frozen, or payouts are paused', async () => {
    const { request } = await quotedPayout(payouts, company, { amount: '781.25' });
    await asSuperuser(payouts.db, 'update causeway.bank_asset set payouts_paused = true');
    const paused = await payouts.world.ask(createCryptoPayment, request);
    await asSuperuser(payouts.db, 'update causeway.bank_asset set payouts_paused = false');
    expect([paused.key, Object.keys(paused.fields)]).toEqual(['payoutsPaused', ['bankWalletId']]);
    await asSuperuser(payouts.db, 'update causeway.wallet set frozen_at = now() where id = $1', [company.walletId]);
    const frozen = await payouts.world.ask(createCryptoPayment, request);
    expect([frozen.key, Object.keys(frozen.fields)]).toEqual(['walletFrozen', ['bankWalletId']]);
    await nothingMoved();
  });

  test('above what the coin wallet has', async () => {
    expect(await submit('7812.51')).toMatchObject({ key: 'amountAboveBalanceMinusFee', fields: ['amount'] });
    await nothingMoved();
  });

  test('with a code that was sent for another most', async () => {
    expect(await submit('781.25', { bound: '101' })).toMatchObject({ key: 'transferCodeMismatch' });
    await nothingMoved();
  });

  test('under an id that is taken, and as a payment of the other kind', async () => {
    const { request } = await submit('78.12');
    const { request: second } = await quotedPayout(payouts, company, { amount: '78.12' });
    const taken = { ...second, body: { ...second.body, id: request.body['id'] } };
    expect((await payouts.world.ask(createCryptoPayment, taken)).key).toBe('idTaken');
    const other = await payouts.world.ask(createPayment, {
      ...request,
      body: { ...request.body, kind: 'fiat_payout' },
    });
    expect(other.status).toBe(400);
  });

  test('of a payee that there is not has no options', async () => {
    const query = { payeeId: newId() };
    expect((await payouts.world.ask(getCryptoPaymentOptions, { as: company.admin, query })).key).toBe('payeeNotFound');
  });
});

describe('a policy for payments', () => {
  const policy = (content: RiskContent) => enact(payouts.db, company.id, forbidding(content, { business: 'payment' }));

  test.each<[string, RiskContent]>([
    ['the coin', { dimension: 'coin', coins: ['USDT'] }],
    ['the quantity of the coin', { dimension: 'crypto_quantity', coin: 'USDT', from: '100', to: null }],
    ['its value', { dimension: 'crypto_value', from: '100', to: null }],
    ['the currency', { dimension: 'fiat_currency', currencies: ['HKD'] }],
    ['the amount in the currency', { dimension: 'fiat_amount', currency: 'HKD', from: '781.25', to: null }],
    ['the payee’s country', { dimension: 'payment_region', countries: ['HK'] }],
  ])('sees %s', async (_, content) => {
    await policy(content);
    expect(await submit('781.25')).toMatchObject({ key: 'riskRefused' });
    await nothingMoved();
  });

  test('adds up the coins of payments by themselves', async () => {
    await policy({ dimension: 'crypto_quantity', coin: 'USDT', from: '150', to: null });
    await paidWithCoins(payouts, company, { amount: '781.25' });
    expect(await submit('390.63')).toMatchObject({ key: 'riskRefused' });
    expect(await submit('390')).toMatchObject({ key: null });
  });
});

test('the operator’s limit on a day of the currency holds for what is paid in it with coins', async () => {
  const limit = (minor: number) =>
    asSuperuser(
      payouts.db,
      `insert into causeway.operator_price (id, company_id, kind, asset_id, value, valid_from, set_by)
        values ($1, $2, 'daily_limit', 'HKD', $3, now(), 'test')`,
      [newId(), company.id, String(minor)],
    );
  const refused = async (amount: string, left: string) => {
    const { request } = await quotedPayout(payouts, company, { amount });
    expect(await payouts.world.ask(createCryptoPayment, request)).toMatchObject({
      key: 'amountAboveDailyLimit',
      fields: { amount: expect.stringContaining(left) },
    });
  };
  await limit(100_000);
  await paidWithCoins(payouts, company, { amount: '781.25' });
  await refused('218.76', '1,000.00 HKD a day, of which 218.75 HKD is left');
  expect((await submit('218.75')).key).toBeNull();
  // Less than what was paid already.
  await limit(50_000);
  await refused('10', '500.00 HKD a day, of which 0.00 HKD is left');
});

describe('what is bought for a payment', () => {
  test.each([
    ['more sold than was accepted', { executed_sold: 'sold + 1' }],
    ['a fee beyond what was accepted', { executed_fee: 'fee + 1' }],
    ['more than is paid', { executed_bought: 'bought + 1' }],
    ['less than is paid', { executed_bought: 'bought - 1' }],
    ['with the sold amount fixed', { fixed: "'sell'" }],
    ['into another wallet', { buy_wallet_id: 'sell_wallet_id' }],
  ])('is its amount and fee within its bound, whatever a process writes: %s', async (_, change) => {
    await payouts.world.member(company, 'approver');
    await reviewOf(payouts.world, company)(true);
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    const executed = {
      executed_quote_id: 'submitted_quote_id',
      executed_sold: 'sold',
      executed_fee: 'fee',
      executed_bought: 'bought',
      bought_transaction_id: 'transaction_id',
      executed_at: 'now()',
    };
    const write = (columns: Record<string, string>) => {
      const set = Object.entries(columns).map(([column, value]) => `${column} = ${value}`);
      return asSuperuser(payouts.db, `update causeway.exchange set ${set} where transaction_id = $1`, [id]);
    };
    // Some of it no exchange may do, and the rest no payment.
    await expect(write({ ...executed, ...change })).rejects.toThrow(
      new RegExp(`exchange_within_bound|what is bought for payment ${id} is its amount and fee, within its bound`),
    );
    await write(executed);
  });

  test('is looked at again before the bank is instructed', async () => {
    const id = await paidWithCoins(payouts, company, { amount: '781.25' });
    // Past every trigger, as the owner of the database can.
    await asSuperuser(
      payouts.db,
      `set session_replication_role = replica;
      update causeway.exchange set bought = bought - 1, executed_bought = executed_bought - 1 where transaction_id = '${id}'`,
    );
    await payouts.send(company.id, id);
    await payouts.order();
    expect(payouts.folder.take()).toEqual([]);
    expect((await transactionOf(payouts.world, company, id)).stage).toBe('refused');
    expect(payouts.complaints.splice(0).join()).toContain('not what was authorised');
  });
});
