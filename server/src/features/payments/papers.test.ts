import { Readable } from 'node:stream';
import { downloadStatement } from '@causeway/contract/statements.ts';
import { downloadReceipt } from '@causeway/contract/transactions.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  balancesOf,
  detailOf,
  endToEndOf,
  messageOf,
  notification,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  sentBack,
  statusReport,
} from '../../testing/payouts.ts';
import { pdfText } from '../../testing/pdf.ts';
import { succeed } from '../../testing/succeed.ts';
import { describeBankFile } from '../banks/index.ts';

/** What a company keeps of its payments: the statement that its books read, and receipts in its languages. */

let payouts: PayoutWorld;
let company: PayingCompany;
let made: string;
let refused: string;
let returned: string;
beforeAll(async () => {
  payouts = await payoutWorld();
  const superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
  await superuser.query(`update causeway.bank_asset set payout_fee_local = 250 where asset_id = 'HKD'`);
  await superuser.end();
  company = await payouts.company('10015.00');
  const pay = (amount: string, remittance: string) => ordered(payouts, company, { amount, fee: '2.50', remittance });
  made = await pay('250.50', 'Invoice 7');
  await payouts.bankSays(notification([paid(made, '250.50')]));
  refused = await pay('40', 'Invoice 8');
  await payouts.bankSays(
    statusReport(await messageOf(payouts, refused), [
      { status: 'RJCT' },
      { endToEnd: endToEndOf(refused), status: 'RJCT', reason: 'AC04', words: 'Account is closed' },
    ]),
  );
  returned = await pay('30', 'Invoice 9');
  await payouts.bankSays(notification([paid(returned, '30.00')]));
  await payouts.bankSays(notification([sentBack(returned, '30.00')]));
});
afterAll(() => payouts.close());

test('a bank that refuses the whole order and says why of the payment has that reason shown, once', async () => {
  const detail = await detailOf(payouts, company, refused);
  expect(detail).toMatchObject({ stage: 'failed', failureReason: 'The payee’s account is closed' });
  expect(detail.payout?.answers).toMatchObject([{ status: 'RJCT', reason: 'AC04', words: 'Account is closed' }]);
});

test('camt.053 has each payment with its fee and what came back, nothing of one that was refused, and its sums agree', async () => {
  const query = { format: 'camt053', walletId: company.walletId } as const;
  const { raw } = await succeed(payouts.world, downloadStatement, { as: company.admin, query });
  const { statements } = await describeBankFile(Readable.from([raw.rawPayload]), 'en-us');
  const [statement] = statements;
  expect(statement).toMatchObject({
    findings: [],
    checks: [{ currency: 'HKD', credits: '10030.00', debits: '285.50', agrees: true }],
  });
  expect(statement?.entries).toMatchObject([
    { amount: '10000.00', direction: 'credit', isReversal: false },
    { amount: '253.00', direction: 'debit', isReversal: false },
    { amount: '32.50', direction: 'debit', isReversal: false },
    { amount: '30.00', direction: 'credit', isReversal: true },
  ]);
  const { available, outbound } = await balancesOf(payouts, company);
  expect([available, outbound]).toEqual([974_450n, 0n]);
  expect(statement?.balances.at(-1)).toMatchObject({ amount: '9744.50' });
});

test.each([
  ['en-us', ['Bank charges', 'Fee', '2.50 HKD']],
  ['zh-hk', ['銀行費用', '手續費']],
  ['zh-cn', ['银行费用', '手续费']],
] as const)(
  'the receipt in %s says what was paid, to whom, and by which numbers a bank finds it',
  async (language, words) => {
    const { payout } = await detailOf(payouts, company, made);
    const request = { as: company.admin, params: { id: made }, headers: { 'accept-language': language } };
    const { raw } = await succeed(payouts.world, downloadReceipt, request);
    const text = await pdfText(raw.rawPayload);
    for (const part of [...words, '250.50', payout?.uetr ?? '', endToEndOf(made), company.payee.account, 'Invoice 7']) {
      expect(text).toContain(part);
    }
  },
);

test('the receipt of one that came back says so', async () => {
  const { raw } = await succeed(payouts.world, downloadReceipt, { as: company.admin, params: { id: returned } });
  const text = await pdfText(raw.rawPayload);
  expect(text).toContain('Failed');
  expect(text).toContain('The payee’s account is closed');
});
