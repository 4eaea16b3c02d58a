import { getBankPayee } from '@causeway/contract/bank-payees.ts';
import { downloadReceipt } from '@causeway/contract/transactions.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import { outgoingKinds } from '../../testing/chain-families.ts';
import { type HttpPayoutWorld, httpPayoutWorld } from '../../testing/http-payouts.ts';
import { detailOf, type PayingCompany, submitted } from '../../testing/payouts.ts';
import { pdfText } from '../../testing/pdf.ts';
import { succeed } from '../../testing/succeed.ts';
import { createBankApi, httpVerification } from '../banks/index.ts';
import { outgoingEvents } from '../outgoing/index.ts';
import { payeeVerificationJob } from '../payees/index.ts';
import { payoutJobs } from './jobs.ts';

/** Verification of payee over the bank's API: when an account is saved, and again when it is paid. */

const log = createLog('test', 'silent');
let world: HttpPayoutWorld;
let company: PayingCompany;
beforeAll(async () => {
  world = await httpPayoutWorld();
});
beforeEach(async () => {
  await world.http.bank.api.setMode('ok');
  company = await world.company('SGD', '1000.00');
});
afterAll(() => world.close());

const banks = () => [httpVerification(createBankApi(world.http.connection))];
const given = () => ({ companyId: company.id, database: world.db.worker, log });
const whenSaved = () => payeeVerificationJob(banks()).run(given(), { versionId: company.payee.versionId });
async function whenPaid(transactionId: string): Promise<void> {
  const job = payoutJobs(outgoingKinds, banks()).find(({ on }) => on?.includes(outgoingEvents.toBank));
  await job?.run(given(), { transactionId });
}
const payee = async () =>
  (await succeed(world.world, getBankPayee, { as: company.admin, params: { id: company.payee.id } })).data.account;
/** The words of a payment's receipt, one space between them. */
async function receiptOf(id: string, language: string): Promise<string> {
  const request = { as: company.admin, params: { id }, headers: { 'accept-language': language } };
  const { raw } = await succeed(world.world, downloadReceipt, request);
  return (await pdfText(raw.rawPayload)).replaceAll(/\s+/g, ' ');
}
/** What the payee's bank has of the account. */
const holder = (name: string) =>
  world.http.bank.change((turn) =>
    turn.put('payees', company.payee.account, { account: company.payee.account, name, state: 'open' }),
  );

test.each([
  ['match', (name: string) => name, null],
  ['close', (name: string) => name.replace('Supplies', 'Provisions'), 'Provisions'],
  ['none', () => 'Another Name Entirely', null],
] as const)('the bank’s answer (%s) is kept when the account is saved', async (answer, held, shown) => {
  const { name } = await payee();
  await holder(held(name));
  await whenSaved();
  const { verification } = await payee();
  expect(verification).toMatchObject({ answer });
  if (shown === null) expect(verification?.bankName).toBeNull();
  else expect(verification?.bankName).toContain(shown);
});

test('a bank that gives no answer says so; one that cannot be reached is asked again', async () => {
  await world.http.bank.api.setMode('failing');
  await expect(whenSaved()).rejects.toThrow();
  expect((await payee()).verification).toBeNull();
  await world.http.bank.api.setMode('ok');
  await whenSaved();
  expect((await payee()).verification).toMatchObject({ answer: 'impossible', bankName: null });
});

test('when the payee is paid the bank is asked again, and what it says then is the payment’s', async () => {
  const { name } = await payee();
  await holder(name);
  await whenSaved();
  const id = await submitted(world, company, { amount: '10' });
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql`select from outbox where company_id = ${company.id} and name = ${outgoingEvents.toBank} and payload ->> 'transactionId' = ${id}`.execute(
      tx,
    ),
  );
  expect(rows).toHaveLength(1);
  expect((await detailOf(world, company, id)).payout?.verification).toMatchObject({ answer: 'match', at: null });
  await holder('Another Name Entirely');
  await whenPaid(id);
  expect((await detailOf(world, company, id)).payout?.verification).toMatchObject({
    answer: 'none',
    at: expect.any(String),
  });
  expect((await payee()).verification).toMatchObject({ answer: 'none' });
  expect(await receiptOf(id, 'en-us')).toContain(
    'The bank says that the account is not of this name Asked for this payment: ',
  );
  // The answer that the approver read stays the payment's.
  await holder(name);
  await whenPaid(id);
  expect((await detailOf(world, company, id)).payout?.verification).toMatchObject({ answer: 'none' });
});

test.each([
  ['en-us', 'Similar, not the same: the bank has “', 'Asked when the payee was saved'],
  ['zh-hk', '相近但不相同：銀行記錄為「', '儲存收款人時查詢'],
  ['zh-cn', '相近但不一致：银行记录为“', '保存收款人时查询'],
])('the receipt in %s has the name that the payee’s bank has, and when it was asked', async (language, said, when) => {
  const name = (await payee()).name.replace('Supplies', 'Provisions');
  await holder(name);
  await whenSaved();
  const text = await receiptOf(await submitted(world, company, { amount: '10' }), language);
  expect(text).toContain(`${said}${name}`);
  expect(text).toContain(when);
});

test('a bank that cannot be reached holds no payment up', async () => {
  const id = await submitted(world, company, { amount: '10' });
  await world.http.bank.api.setMode('failing');
  await expect(whenPaid(id)).rejects.toThrow();
  await world.http.bank.api.setMode('ok');
  await world.send(company.id, id);
  await world.visit();
  expect((await detailOf(world, company, id)).stage).toBe('completed');
  await whenPaid(id);
  expect((await detailOf(world, company, id)).payout?.verification).toMatchObject({ answer: 'impossible' });
});

test.each([
  [
    'JP',
    'JPY',
    'jpZengin',
    { bankCode: '0001', branchCode: '001', accountType: 'ordinary', account: '1234567' },
    'ﾔﾏﾀﾞ(ｶ',
    'ヤマダ（カ',
  ],
  [
    'CN',
    'CNY',
    'cnCnaps',
    { bankName: '中国银行', cnaps: '102100099996', account: '62220200' },
    '深圳远航科技',
    '深圳远航科技',
  ],
] as const)('in %s the name at the bank is compared, and not the one in Latin letters', async (...given) => {
  const [country, currency, way, details, holderName, held] = given;
  const { account } = details;
  await world.http.bank.change((turn) => turn.put('payees', account, { account, name: held, state: 'open' }));
  const [bank] = banks();
  const ask = (own: Record<string, string>) =>
    bank?.verify({ country, currency, way, holder: 'enterprise', name: 'Yamada KK', details: { ...details, ...own } });
  expect(await ask({ holderName })).toEqual({ answer: 'match', bankName: null });
  expect(await ask({ holderName: 'スズキ' })).toEqual({ answer: 'none', bankName: null });
});
