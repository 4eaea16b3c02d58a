import { exchange } from '@causeway/contract/exchange.ts';
import { downloadReceipt, exportTransactions } from '@causeway/contract/transactions.ts';
import { parse } from 'csv-parse/sync';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type CryptoPayoutWorld, cryptoPayoutWorld, paidWithCoins } from '../../../testing/crypto-payouts.ts';
import { quotedExchange } from '../../../testing/exchange-requests.ts';
import type { PayingCompany } from '../../../testing/payouts.ts';
import { pdfText } from '../../../testing/pdf.ts';
import { succeed } from '../../../testing/succeed.ts';

/** What a company keeps of a payment out of coins: what was sold, at which price, what the payee and the bank got of it. */

const everyCompany = '00000000-0000-0000-0000-000000000000';
let payouts: CryptoPayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  payouts = await cryptoPayoutWorld();
  company = await payouts.company(1000n);
  await payouts.db.operator.withCompany(everyCompany, (tx) =>
    sql`insert into operator_price (id, company_id, kind, asset_id, bank_id, value, valid_from, set_by)
      select gen_random_uuid(), company_id(), kind, asset, bank, value, clock_timestamp(), 'test'
      from (values ('spread', 'USDT', null, 48), ('fx_fee', 'USDT', null, 20), ('payout_fee_local', 'HKD', 'harbour-hk', 250))
        as v (kind, asset, bank, value)`.execute(tx),
  );
});
afterAll(() => payouts.close());

/** The cells of one transaction, by the headings in English. */
async function cellsOf(id: string): Promise<Record<string, string>> {
  const { raw } = await succeed(payouts.world, exportTransactions, { as: company.admin });
  const rows: Record<string, string>[] = parse(raw.body, { bom: true, columns: true });
  return rows.find((row) => row['Transaction ID'] === id) ?? {};
}

test('the list as CSV has what was sold, at which rate, source and spread, the fee, and what payee and bank got', async () => {
  const cells = await cellsOf(await paidWithCoins(payouts, company, { amount: '775', fee: '2.50' }));
  expect(cells).toMatchObject({
    Coin: 'USDT',
    Quantity: '100.000000',
    Fee: '0.200000',
    'Exchanged for or from': 'HKD',
    'Quantity exchanged for or from': '777.50',
    'Exchange rate': '7.775',
    'Source of exchange rate': expect.stringMatching(/./),
    'Time of exchange rate': expect.stringMatching(/^\d{4}-.*Z$/),
    'Mid-market rate': '7.8125',
    'Spread (%)': '0.48',
    'Payee receives (crypto payout)': '775.00',
    'Bank fee (crypto payout)': '2.50',
  });
});

test('both sides of an exchange have its spread, and the mid-market rate of their own asset', async () => {
  const wish = { sell: company.wallets.USDT, buy: company.walletId, fixed: 'sell', amount: '100.2' } as const;
  const { request } = await quotedExchange(payouts.world, company.admin, wish);
  const { data } = await succeed(payouts.world, exchange, request);
  const noPayment = { 'Spread (%)': '0.48', 'Payee receives (crypto payout)': '', 'Bank fee (crypto payout)': '' };
  expect(await cellsOf(data.id)).toMatchObject({ ...noPayment, Coin: 'USDT', 'Mid-market rate': '7.8125' });
  expect(await cellsOf(data.boughtId ?? '')).toMatchObject({ ...noPayment, Coin: 'HKD', 'Mid-market rate': '0.128' });
});

test.each([
  ['en-us', ['Exchanged for', 'Payee receives', 'Bank fee', 'Mid-market rate', 'Spread']],
  ['zh-hk', ['兌換為', '收款人收到', '銀行手續費', '中間價', '點差']],
  ['zh-cn', ['兑换为', '收款人收到', '银行手续费', '中间价', '点差']],
] as const)('the receipt in %s says what was bought for payee and bank', async (language, words) => {
  const id = await paidWithCoins(payouts, company, { amount: '775', fee: '2.50' });
  const request = { as: company.admin, params: { id }, headers: { 'accept-language': language } };
  const { raw } = await succeed(payouts.world, downloadReceipt, request);
  const text = await pdfText(raw.rawPayload);
  for (const part of [...words, '777.50 HKD', '775.00 HKD', '2.50 HKD', '0.20 USDT', '0.48%']) {
    expect(text).toContain(part);
  }
});
