import { listQueue, resolveQueueItem } from '@causeway/contract/operator-queue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Tx } from '../../../platform/database/database.ts';
import { createLog } from '../../../platform/process/log.ts';
import { type OperatorApp, operatorApp } from '../../../testing/operator-app.ts';
import { present } from '../../../testing/present.ts';
import {
  asSuperuser,
  confirmed,
  followReleases,
  released,
  sendEvent,
  type TradeWorld,
  tradeWorld,
  trading,
} from '../../../testing/trades.ts';
import { fail, settle } from '../../outgoing/index.ts';
import { changeStage, type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { sweep } from './sweep.ts';

/** Guaranteed trades on the operator's pages. */

let of: TradeWorld;
let console: OperatorApp;
beforeAll(async () => {
  of = await tradeWorld();
  console = await operatorApp(of.db);
});
afterAll(async () => {
  await console.close();
  await of.close();
});

async function open(kind: 'tradeUntold' | 'tradeContradicted' | 'tradeOverdue' | 'tradeOverpaid') {
  await sweep(of.db.console, createLog('test', 'silent'));
  const as = await console.operator('viewer');
  return (await console.ask(listQueue, { as, query: { kind } })).data.items;
}

test('a message that the platform does not accept, from its fifth minute until it is accepted', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  expect(await open('tradeUntold')).toEqual([]);
  const change = (set: string) =>
    asSuperuser(
      of,
      `set session_replication_role = replica; update causeway.trade_message set ${set} where trade_id = '${said.id}'`,
    );
  await change("created_at = now() - interval '6 minutes', attempts = 4, problem = 'status 503'");
  expect(await open('tradeUntold')).toMatchObject([
    {
      urgency: 'urgent',
      company: { id: company.id },
      link: `/app/trades/${company.id}/${said.id}`,
      amount: { quantity: '1000.000000' },
    },
  ]);
  await change('delivered_at = now(), next_at = null, problem = null');
  expect(await open('tradeUntold')).toEqual([]);
});

test('a contradiction until an event agrees, and a deadline that has passed until the money is free', async () => {
  const { company, said } = await trading(of, { actBy: new Date(Date.now() - 3_600_000).toISOString() });
  expect(await open('tradeOverdue')).toEqual([]);
  await confirmed(of, company.admin, said.id);
  expect(await open('tradeOverdue')).toMatchObject([{ urgency: 'soon', company: { id: company.id } }]);
  await sendEvent(of, { ...said, version: 2, quantity: '4000' });
  const [item] = await open('tradeContradicted');
  expect(item?.title).toMatch(new RegExp(`The trade platform contradicts trade ${said.number} of `));
  await sendEvent(of, { ...said, version: 3, phase: 'shipped' });
  expect(await open('tradeContradicted')).toEqual([]);
  await sendEvent(of, { ...said, version: 4, status: 'cancelled', phase: 'closed' });
  expect(await open('tradeOverdue')).toEqual([]);
});

test('a seller who is paid twice, from the payment that was made after all until a person closes it', async () => {
  const trade = await trading(of);
  const { company, said } = trade;
  await confirmed(of, company.admin, said.id);
  const first = await released(of, trade, '1000');
  const asRail = (id: string, work: (tx: Tx, payment: LifecycleRow) => Promise<unknown>) =>
    of.db.worker.withCompany(company.id, async (tx) => work(tx, present(await lockTransaction(tx, id))));
  await asRail(first, (tx) => changeStage(tx, first, ['approved'], { stage: 'signing' }));
  await asRail(first, (tx, payment) => fail(tx, payment, { reason: 'stage.reason.reverted', hash: null }));
  await followReleases(of);
  const again = await released(of, trade, '1000');
  await asRail(again, (tx) => changeStage(tx, again, ['approved'], { stage: 'signing' }));
  expect(await open('tradeOverpaid')).toEqual([]);
  await asRail(first, (tx, payment) => settle(tx, payment, { contra: 'chain', finals: 0, hash: null }));
  await followReleases(of);
  const [item] = await open('tradeOverpaid');
  expect(item).toMatchObject({
    title: expect.stringMatching(/^1,000\.00 USDT too much was paid for trade/),
    link: `/app/trades/${company.id}/${said.id}`,
    amount: { quantity: '1000.000000' },
  });
  const as = await console.operator('support');
  await console.ask(resolveQueueItem, { as, params: { id: present(item).id }, body: { reason: 'It comes back' } });
  expect(await open('tradeOverpaid')).toEqual([]);
});
