import { getBanks } from '@causeway/contract/operator-banks.ts';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { type OperatorApp, operatorApp } from '../../../testing/operator-app.ts';
import {
  endToEndOf,
  messageOf,
  notification,
  ordered,
  type PayingCompany,
  type PayoutWorld,
  payoutWorld,
  sentBack,
  statusReport,
} from '../../../testing/payouts.ts';
import { present } from '../../../testing/present.ts';
import { sweep } from './sweep.ts';

/** Orders that a bank leaves unanswered, and what it says about payments that are not ours, on the operator's pages. */

let payouts: PayoutWorld;
let console: OperatorApp;
let company: PayingCompany;
let superuser: pg.Client;
beforeAll(async () => {
  payouts = await payoutWorld();
  company = await payouts.company('1015.00');
  console = await operatorApp(payouts.db);
  superuser = new pg.Client({ connectionString: payouts.db.superuserUrl });
  await superuser.connect();
});
afterAll(async () => {
  await superuser.end();
  await console.close();
  await payouts.close();
});

async function open(kind: string): Promise<{ title: string; subject: string }[]> {
  await sweep(payouts.db.console, createLog('test', 'silent'));
  const { rows } = await superuser.query<{ title: string; subject: string }>(
    "select facts::text as title, subject from causeway.operator_item where kind = $1 and state = 'open'",
    [kind],
  );
  return rows;
}

const delivered = (minutes: number) =>
  superuser.query('update causeway.bank_order set delivered_at = now() - make_interval(mins => $1) where state = $2', [
    minutes,
    'delivered',
  ]);

const lastOrder = async () => {
  const { banks } = (await console.ask(getBanks, { as: await console.operator('viewer') })).data;
  return present(banks.find(({ id }) => id === 'harbour-hk')).lastOrder;
};

test('an order is an item once the bank is silent for longer than it usually is, and no more when it has answered', async () => {
  expect(await lastOrder()).toBeNull();
  const first = await ordered(payouts, company, { amount: '10' });
  expect(await lastOrder()).toMatchObject({
    state: 'delivered',
    payments: 1,
    unanswered: 1,
    answeredAt: null,
    total: '10.00',
  });
  await delivered(90);
  expect(await open('bankOrderUnanswered')).toEqual([]);
  await delivered(121);
  const [item] = await open('bankOrderUnanswered');
  expect(item?.title).toContain('pain.001_');
  const answer = async (id: string) =>
    payouts.bankSays(statusReport(await messageOf(payouts, id), [{ endToEnd: endToEndOf(id), status: 'ACSP' }]));
  await answer(first);
  expect(await open('bankOrderUnanswered')).toEqual([]);
  expect(await lastOrder()).toMatchObject({ unanswered: 0, answeredAt: expect.any(String) });
  // It took the bank a minute: the next is late after half an hour.
  await superuser.query(`update causeway.bank_order o set delivered_at = s.created_at - interval '1 minute'
    from causeway.bank_status s where s.original_message = o.message_id`);
  const second = await ordered(payouts, company, { amount: '11' });
  const late = (minutes: number) =>
    superuser.query(
      `update causeway.bank_order set delivered_at = now() - make_interval(mins => $1)
       where id = (select order_id from causeway.bank_order_line where transaction_id = $2)`,
      [minutes, second],
    );
  await late(29);
  expect(await open('bankOrderUnanswered')).toEqual([]);
  await late(31);
  expect(await open('bankOrderUnanswered')).toHaveLength(1);
  await answer(second);
  expect(await open('bankOrderUnanswered')).toEqual([]);
});

test('an answer about no payment of ours, and money that comes back and fits none, are items', async () => {
  await payouts.bankSays(statusReport('NOTOURS1', [{ endToEnd: 'NOTOURS2', status: 'RJCT' }]), 'strange.xml');
  const [item, ...others] = await open('bankStatusUnknown');
  expect(others).toEqual([]);
  expect(item?.title).toContain('strange.xml');
  const id = await ordered(payouts, company, { amount: '12' });
  // More came back than was paid.
  await payouts.bankSays(notification([sentBack(id, '99')]));
  const held = (await open('moneyUnmatched')).find(({ title }) => title.includes('payout'));
  expect(held?.title).toContain('"next": "payout"');
});
