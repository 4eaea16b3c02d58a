import { Readable } from 'node:stream';
import { addRule, listApprovals } from '@causeway/contract/approvals.ts';
import { editBankPayee } from '@causeway/contract/bank-payees.ts';
import { listNotices } from '@causeway/contract/notices.ts';
import { systemRoleIds } from '@causeway/contract/permission.ts';
import { downloadStatement } from '@causeway/contract/statements.ts';
import {
  downloadReceipt,
  exportTransactions,
  getTransaction,
  listTransactions,
} from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { createLog } from '../../platform/process/log.ts';
import { newBankAccount } from '../../testing/bank-payee-requests.ts';
import { ruleFor, seenVersion, switchReview } from '../../testing/four-eyes.ts';
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
  submitted,
} from '../../testing/payouts.ts';
import { pdfText } from '../../testing/pdf.ts';
import { succeed } from '../../testing/succeed.ts';
import { describeBankFile } from '../banks/index.ts';
import { reached, transactionNoticeJobs } from '../transactions/index.ts';

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
  await payouts.bankSays(
    notification([sentBack(returned, '30.00', undefined, ['Closed account number,', 'since May'])]),
  );
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
  // What came back is named by the bank's own reference of the return, and by its transaction.
  const csv = await succeed(payouts.world, downloadStatement, {
    as: company.admin,
    query: { format: 'csv', walletId: company.walletId },
  });
  const { relatedId } = await detailOf(payouts, company, returned);
  const back = csv.raw.body.split('\r\n').find((line) => line.includes('Payment returned')) ?? '';
  for (const part of [relatedId ?? '?', `B-${returned.slice(-12)}`, 'Bank supplier']) expect(back).toContain(part);
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

test.each([
  ['en-us', 'The payee’s account is closed', 'Bank’s code and words', 'Return reason'],
  ['zh-hk', '收款帳戶已結清', '銀行代碼及原文', '退回原因'],
  ['zh-cn', '收款账户已销户', '银行代码及原文', '退回原因'],
] as const)(
  'why one came back is on both transactions, their receipts and in the list as CSV, in %s: our words, the bank’s code and its words',
  async (language, sentence, label, refundLabel) => {
    const headers = { 'accept-language': language };
    const bankReason = { code: 'AC04', sentence, words: 'Closed account number, since May' };
    const read = async (id: string) =>
      (await succeed(payouts.world, getTransaction, { as: company.admin, params: { id }, headers })).data;
    const payment = await read(returned);
    expect(payment).toMatchObject({ stage: 'returned', failureReason: sentence, bankReason });
    const refund = await read(payment.relatedId ?? '');
    expect(refund).toMatchObject({ type: 'failed_refund', failureReason: null, bankReason });
    for (const [id, where] of [
      [returned, label],
      [refund.id, refundLabel],
    ] as const) {
      const { raw } = await succeed(payouts.world, downloadReceipt, { as: company.admin, params: { id }, headers });
      const text = await pdfText(raw.rawPayload);
      for (const part of [where, label, sentence, 'AC04 · Closed account number, since May'])
        expect(text).toContain(part);
    }
    const { raw } = await succeed(payouts.world, exportTransactions, { as: company.admin, headers });
    const lines = raw.body.split('\r\n').filter((line) => line.includes('AC04'));
    expect(lines.filter((line) => line.includes(`${sentence},AC04,"Closed account number, since May"`))).toHaveLength(
      2,
    );
    expect(lines.filter((line) => line.includes(`${sentence},AC04,Account is closed`))).toHaveLength(2);
  },
);

test('the notice and the mail about one that came back have the bank’s code and words', async () => {
  const given = { companyId: company.id, database: payouts.db.worker, log: createLog('test', 'silent') };
  const { name, payload } = reached(returned, 'returned');
  for (const job of transactionNoticeJobs().filter(({ on }) => on?.includes(name))) await job.run(given, payload);
  const headers = { 'accept-language': 'zh-hk' };
  const { items } = (await succeed(payouts.world, listNotices, { as: company.admin, headers })).data;
  expect(items[0]?.body).toContain('收款帳戶已結清。銀行代碼及原文：AC04 · Closed account number, since May。');
  const { rows } = await payouts.db.app.withCompany(company.id, (tx) =>
    sql<{
      facts: unknown;
    }>`select facts from notice where company_id = company_id() and kind = 'paymentReturned'`.execute(tx),
  );
  expect(rows[0]?.facts).toContainEqual({
    label: 'receipt.bankReason',
    value: 'AC04 · Closed account number, since May',
  });
  expect(rows[0]?.facts).toContainEqual({
    label: 'receipt.bank',
    value: { in: { 'en-us': 'Harbour Bank', 'zh-hk': '海港銀行', 'zh-cn': '海港银行' } },
  });
});

test('the receipt says what the payment is for and when it is expected', async () => {
  const id = await ordered(payouts, company, {
    amount: '3',
    fee: '2.50',
    purpose: 'RENT',
    remittance: 'Rent “November” of O’Neill',
  });
  const request = { as: company.admin, params: { id }, headers: { 'accept-language': 'zh-cn' } };
  const { raw } = await succeed(payouts.world, downloadReceipt, request);
  const text = await pdfText(raw.rawPayload);
  for (const part of ['付款用途', '(RENT)', '预计到账日', 'Rent “November” of O’Neill']) expect(text).toContain(part);
});

test('a payment to a changed account is marked in the list, its export, its receipt, and for its approver, who reads the bank’s name in their language', async () => {
  const own = await payouts.company('1015.00');
  const { id, versionId } = own.payee;
  const body = { id, versionId, ...newBankAccount() };
  const { account } = (await succeed(payouts.world, editBankPayee, { as: own.admin, body })).data;
  const approver = await payouts.world.member(own, 'approver');
  const rule = ruleFor(systemRoleIds.approver);
  const version = await seenVersion(payouts.world, own.admin);
  await succeed(payouts.world, addRule, { as: own.admin, body: { version, id: newId(), rule } });
  expect((await switchReview(payouts.world, own.admin, true)).key).toBeNull();
  const payment = await submitted(payouts, own, { amount: '10', fee: '2.50', versionId: account.id });

  const query = { type: 'fiat_payout' };
  const { payout } = await detailOf(payouts, own, payment);
  expect(payout?.changedUntil).not.toBeNull();
  const { items } = (await succeed(payouts.world, listTransactions, { as: own.admin, query })).data;
  expect(items).toMatchObject([{ id: payment, payeeChangedUntil: payout?.changedUntil }]);
  const headers = { 'accept-language': 'zh-hk' };
  const csv = await succeed(payouts.world, exportTransactions, { as: own.admin, query, headers });
  expect(csv.raw.body).toContain(',付款前不久更改,');
  const receipt = await succeed(payouts.world, downloadReceipt, { as: own.admin, params: { id: payment }, headers });
  expect(await pdfText(receipt.raw.rawPayload)).toContain('收款帳戶曾更改');

  const views = [
    ['en-us', 'Account changed', 'Harbour Bank'],
    ['zh-hk', '帳戶已更改', '海港銀行'],
    ['zh-cn', '账户已变更', '海港银行'],
  ] as const;
  for (const [language, mark, bank] of views) {
    const request = { as: approver, query: { view: 'pending' }, headers: { 'accept-language': language } };
    const tasks = (await succeed(payouts.world, listApprovals, request)).data.items;
    expect(tasks).toMatchObject([{ subjectId: payment, marks: [mark], facts: [{ value: bank }] }]);
  }
});
