import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { outgoingKinds } from '../../../../testing/chain-families.ts';
import {
  endToEndOf,
  type PayingCompany,
  type PayoutWorld,
  payoutWorld,
  submitted,
  testBank,
} from '../../../../testing/payouts.ts';
import { bankOrders } from './due.ts';

/** Orders to a bank, where one of them cannot be made. */

let payouts: PayoutWorld;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('1015.00');
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await payouts.close();
});

test('an order that cannot be written holds up no other, and is tried again', async () => {
  const [broken, whole] = [
    await submitted(payouts, company, { amount: '4' }),
    await submitted(payouts, company, { amount: '5' }),
  ];
  for (const id of [broken, whole]) await payouts.send(company.id, id);
  const setName = (name: string) =>
    superuser.query(
      `update causeway.bank_order_line set service_level = 'URGP', instruction = jsonb_set(instruction, '{payee,name}', to_jsonb($2::text))
       where transaction_id = $1`,
      [broken, name],
    );
  await superuser.query("update causeway.bank_order_line set service_level = 'ZZZZ' where transaction_id = $1", [
    whole,
  ]);
  await setName('');
  const deliver = () => bankOrders(payouts.db.worker, outgoingKinds).deliver(testBank, payouts.folder);
  await expect(deliver()).rejects.toThrow('Nm has 1 to 140 characters');
  expect(payouts.folder.take().map(({ text }) => text.includes(endToEndOf(whole)))).toEqual([true]);
  await setName('Harbour Supplies');
  await deliver();
  expect(payouts.folder.take().map(({ text }) => text.includes(endToEndOf(broken)))).toEqual([true]);
});

test('a payment that cannot be written is in no order', async () => {
  await superuser.query('update causeway.company set name = $2 where company_id = $1', [company.id, 'x'.repeat(141)]);
  const id = await submitted(payouts, company, { amount: '3' });
  await expect(payouts.send(company.id, id)).rejects.toThrow('Nm has 1 to 140 characters');
  await payouts.order();
  expect(payouts.folder.take()).toEqual([]);
  await superuser.query("update causeway.company set name = 'Harbour Trading' where company_id = $1", [company.id]);
  await payouts.send(company.id, id);
  await payouts.order();
  expect(payouts.folder.take()).toHaveLength(1);
});
