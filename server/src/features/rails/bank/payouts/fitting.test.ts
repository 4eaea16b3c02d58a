import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  detailOf,
  notification,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  paid,
  payoutWorld,
  submitted,
  testBank,
} from '../../../../testing/payouts.ts';
import { makeOrders } from './orders.ts';

/** A booking is a payment's only where all of it fits; an order names the bank that it is for. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('10015.00');
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
  await superuser.query("set session_replication_role = 'replica'");
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

const stageOf = async (id: string) => (await detailOf(payouts, company, id)).stage;
const heldAs = async (ref: string) =>
  (await superuser.query('select state, unmatched from causeway.bank_money where reference = $1', [ref])).rows;

test.each(['9.99', '10.01'])('a debit of %s that names a payment of 10.00 waits for an operator', async (amount) => {
  const id = await ordered(payouts, company, { amount: '10' });
  await payouts.bankSays(notification([paid(id, amount, `OTHER-${amount}`)]));
  expect(await stageOf(id)).toBe('instructed');
  expect(await heldAs(`OTHER-${amount}`)).toEqual([{ state: 'charged', unmatched: 'payout' }]);
});

test('a debit in another currency than the payment’s waits for an operator, whatever it names', async () => {
  const id = await ordered(payouts, company, { amount: '10' });
  await superuser.query("update causeway.bank_order_line set asset_id = 'JPY' where transaction_id = $1", [id]);
  await payouts.bankSays(notification([paid(id, '10.00', 'OTHER-JPY')]));
  expect(await stageOf(id)).toBe('instructed');
  expect(await heldAs('OTHER-JPY')).toEqual([{ state: 'charged', unmatched: 'payout' }]);
});

test('an order names the bank by its BIC', async () => {
  payouts.folder.take();
  const { rows } = await superuser.query('select bic from causeway.bank where id = $1', [testBank]);
  const id = await submitted(payouts, company, { amount: '10' });
  await payouts.send(company.id, id);
  expect(await makeOrders(payouts.db.worker, testBank, new Date())).toBe(1);
  await payouts.order();
  const [file] = payouts.folder.take();
  expect(file?.text).toMatch(new RegExp(`<DbtrAgt><FinInstnId><BICFI>${rows[0].bic}</BICFI></FinInstnId></DbtrAgt>`));
});
