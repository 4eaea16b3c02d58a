import { addBankPayee, editBankPayee } from '@causeway/contract/bank-payees.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { createPayment, fiatTransferOut } from '@causeway/contract/payments.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { newBankAccount } from '../../testing/bank-payee-requests.ts';
import {
  balancesOf,
  detailOf,
  type PayingCompany,
  type PayoutWorld,
  payoutRequest,
  payoutWorld,
  submitted,
} from '../../testing/payouts.ts';
import { present } from '../../testing/present.ts';
import { succeed } from '../../testing/succeed.ts';
import { reviewOf } from '../../testing/transaction-requests.ts';
import { attachment } from '../../testing/valid-requests.ts';
import { outgoingEvents } from '../outgoing/index.ts';

/** All that the submission of a payment out of a bank writes: what the worker, the approvers and the auditors go by. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
beforeEach(async () => {
  company = await payouts.company('1015.00');
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

const rowsOf = (statement: ReturnType<typeof sql<Record<string, unknown>>>) =>
  payouts.db.app.withCompany(company.id, async (tx) => (await statement.execute(tx)).rows);
const rowOf = async (statement: ReturnType<typeof sql<Record<string, unknown>>>) =>
  present((await rowsOf(statement))[0]);

test('a payment that waits for approval: its rows, its task and what its approvers read', async () => {
  await payouts.world.member(company, 'approver');
  await reviewOf(payouts.world, company)(true);
  const fileId = await attachment(payouts.world, company);
  const wish = { amount: '12.50', form: 'payment', notes: 'for May', remittance: 'Invoice 7' } as const;
  const request = await payoutRequest(payouts, company, { ...wish, attachmentIds: [fileId] });
  const body = { ...request.body, invoiceNumber: 'INV-7', category: 'Rent' };
  const { data } = await succeed(payouts.world, createPayment, { ...request, body });
  const { id } = request.body;
  expect(data).toEqual({ id, status: 'pending', stage: 'waiting_approval', createdAt: expect.any(String) });
  expect(Math.abs(Date.now() - Date.parse(data.createdAt))).toBeLessThan(600_000);

  const { payee, walletId, accountNumber, admin } = company;
  const { name: holder } = await rowOf(sql`select name from bank_payee_version where id = ${payee.versionId}`);
  const transaction = await rowOf(sql`
    select type, wallet_id, coin, chain_id, quantity, fee, value_usd_cents, notes, invoice_number, category, payee_id, payee_name,
      payee_account, payer_name, payer_account, encode(digest, 'hex') as digest from transaction where id = ${id}`);
  expect(transaction).toMatchObject({
    type: 'fiat_payout',
    wallet_id: walletId,
    coin: 'HKD',
    chain_id: null,
    quantity: 1250n,
    fee: 0n,
    value_usd_cents: 160n,
    notes: 'for May',
    invoice_number: 'INV-7',
    category: 'Rent',
    payee_id: payee.id,
    payee_name: 'Bank supplier',
    payee_account: payee.account,
    payer_name: 'Harbour Trading',
    payer_account: accountNumber,
  });
  expect(
    await rowOf(sql`
      select form, bank_id, asset_id, version_id, uetr, expected_from is not null as "hasArrival", changed_until, before_version_id,
        verification from payout where transaction_id = ${id}`),
  ).toEqual({
    form: 'payment',
    bank_id: 'harbour-hk',
    asset_id: 'HKD',
    version_id: payee.versionId,
    uetr: expect.stringMatching(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/),
    hasArrival: true,
    changed_until: null,
    before_version_id: null,
    verification: null,
  });
  expect(await rowsOf(sql`select payload from outbox where name = ${outgoingEvents.toBank}`)).toEqual([
    { payload: { transactionId: id } },
  ]);
  expect(await rowsOf(sql`select file_id from outgoing_attachment where transaction_id = ${id}`)).toEqual([
    { file_id: fileId },
  ]);
  const task = await rowOf(
    sql`select content, search, coin, decimals, amount from approval_task where subject_id = ${id}`,
  );
  expect(task).toMatchObject({ coin: 'HKD', decimals: 2, amount: 1250n });
  const words = ['Bank supplier', payee.account, 'for May', 'INV-7', 'Rent', holder, admin.session.userName, 'All'];
  expect(task['search']).toBe(words.join('\n').toLowerCase());
  expect(task['content']).toEqual({
    form: 'payment',
    payeeName: 'Bank supplier',
    payeeAccount: payee.account,
    bank: { name: 'Harbour Bank', nameZhHk: '海港銀行', nameZhCn: '海港银行' },
    changed: false,
    feeMinor: '0',
    notes: 'for May',
    invoiceNumber: 'INV-7',
    category: 'Rent',
    attachments: [expect.objectContaining({ id: fileId, name: 'invoice.pdf' })],
  });
  expect(await rowsOf(sql`select name from transaction_category`)).toEqual([{ name: 'Rent' }]);
});

test('one without notes, number and category has none, is found by none, and joins a category that is there', async () => {
  await payouts.world.member(company, 'approver');
  await reviewOf(payouts.world, company)(true);
  const id = await submitted(payouts, company, { amount: '2' });
  const [plain] = await rowsOf(sql`select notes, invoice_number, category from transaction where id = ${id}`);
  expect(plain).toEqual({ notes: '', invoice_number: null, category: null });
  const { name: holder } = await rowOf(sql`select name from bank_payee_version where id = ${company.payee.versionId}`);
  const words = ['Bank supplier', company.payee.account, '', holder, company.admin.session.userName, 'All'];
  const { search } = await rowOf(sql`select search from approval_task where subject_id = ${id}`);
  expect(search).toBe(words.join('\n').toLowerCase());
  for (const category of ['Rent', 'rent']) {
    const request = await payoutRequest(payouts, company, { amount: '2' });
    await succeed(payouts.world, fiatTransferOut, { ...request, body: { ...request.body, category } });
    expect(await rowOf(sql`select category from transaction where id = ${request.body.id}`)).toEqual({
      category: 'Rent',
    });
  }
  expect(await rowsOf(sql`select name from transaction_category`)).toEqual([{ name: 'Rent' }]);
});

test('a repeated request is the same payment, whichever code it has; under another key it is refused, and the code stays good', async () => {
  const key = { 'idempotency-key': newId() };
  const request = { ...(await payoutRequest(payouts, company, { amount: '20' })), headers: key };
  const first = await succeed(payouts.world, fiatTransferOut, request);
  const held = await balancesOf(payouts, company);
  const { fee: _fee, code: _code, codeMethod: _method, ...content } = request.body as Record<string, unknown>;
  await succeed(payouts.world, sendUserCode, {
    as: company.admin,
    body: { scenario: 'transaction', subject: { kind: 'payout', content } },
  });
  const again = { ...request, body: { ...request.body, code: await payouts.world.takeCode() } };
  expect((await succeed(payouts.world, fiatTransferOut, again)).data).toEqual(first.data);
  // Before the code is looked at: a wrong one is no wrong try.
  const wrong = { ...again, headers: {}, body: { ...again.body, code: '000000' } };
  expect((await payouts.world.ask(fiatTransferOut, wrong)).key).toBe('idTaken');
  expect(await balancesOf(payouts, company)).toEqual(held);
  const { rows } = await superuser.query(
    'select used_at from causeway.verification_code where company_id = $1 order by issued_at desc limit 1',
    [company.id],
  );
  expect(rows).toEqual([{ used_at: null }]);
});

/** @returns the version of the account that the payee has now */
async function changedAccount(): Promise<string> {
  const { id, versionId } = company.payee;
  const body = { id, versionId, ...newBankAccount() };
  return (await succeed(payouts.world, editBankPayee, { as: company.admin, body })).data.account.id;
}

test('a payee whose account was changed long ago is an old one', async () => {
  const versionId = await changedAccount();
  const { id } = company.payee;
  await superuser.query(`update causeway.bank_payee set changed_at = now() - interval '8 days' where id = $1`, [id]);
  const paidId = await submitted(payouts, company, { amount: '10', versionId });
  expect((await detailOf(payouts, company, paidId)).payout).toMatchObject({ changedUntil: null, accountBefore: null });
});

test('a payee whose account was changed of late: payment and approvers have it, with the account before', async () => {
  await payouts.world.member(company, 'approver');
  await reviewOf(payouts.world, company)(true);
  const before = company.payee.versionId;
  const id = await submitted(payouts, company, { amount: '10', versionId: await changedAccount() });
  expect(
    await rowOf(sql`
      select p.changed_until > now() as changed, p.before_version_id as before, a.content -> 'changed' as read,
        t.payee_changed_until = p.changed_until as shown
      from payout p join approval_task a on a.subject_id = p.transaction_id join transaction t on t.id = p.transaction_id
      where p.transaction_id = ${id}`),
  ).toEqual({ changed: true, before, read: true, shown: true });
});

test('a payment to a country whose central bank asks for its purpose has one', async () => {
  const account = {
    holder: 'enterprise',
    enterpriseName: 'Mumbai Supplies Limited',
    country: 'IN',
    currency: 'HKD',
    way: 'swift',
    bic: 'HDFCINBB',
    account: '50100012345678',
    ifsc: 'HDFC0000001',
    addressLine1: '1 Marine Drive',
    town: 'Mumbai',
  } as const;
  const body = { id: newId(), label: 'Mumbai', ...account };
  const { data: payee } = await succeed(payouts.world, addBankPayee, { as: company.admin, body });
  const wish = { amount: '10', payeeId: payee.id, versionId: payee.account.id };
  const bare = await payouts.world.ask(fiatTransferOut, await payoutRequest(payouts, company, wish));
  expect([bare.key, Object.keys(bare.fields ?? {})]).toEqual(['payoutPurposeNeeded', ['purpose']]);
  const id = await submitted(payouts, company, { ...wish, purpose: 'GDDS' });
  expect((await detailOf(payouts, company, id)).payout).toMatchObject({ purpose: 'GDDS' });
});

test('a voucher of a payment is a PDF; what a transfer has with it may be something else', async () => {
  const fileId = await attachment(payouts.world, company);
  await superuser.query(`update causeway.file set type = 'image/png' where id = $1`, [fileId]);
  const pay = async (form: 'transfer' | 'payment') => {
    const request = await payoutRequest(payouts, company, { amount: '2', form, attachmentIds: [fileId] });
    return (await payouts.world.ask(form === 'payment' ? createPayment : fiatTransferOut, request)).key;
  };
  expect([await pay('payment'), await pay('transfer')]).toEqual(['voucherNotPdf', null]);
});
