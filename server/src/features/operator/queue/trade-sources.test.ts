import { listQueue } from '@causeway/contract/operator-queue.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createLog } from '../../../platform/process/log.ts';
import { type OperatorApp, operatorApp } from '../../../testing/operator-app.ts';
import { asSuperuser, confirmed, sendEvent, type TradeWorld, tradeWorld, trading } from '../../../testing/trades.ts';
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

async function open(kind: 'tradeUntold' | 'tradeContradicted' | 'tradeOverdue') {
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
