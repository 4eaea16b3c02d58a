import { getOperatorTrade, listOperatorTrades, resendTradeMessage } from '@causeway/contract/operator-trades.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newId } from '../../../platform/ids.ts';
import { type OperatorApp, operatorApp, type TestOperator } from '../../../testing/operator-app.ts';
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
import { isTradePlatformChecked, tradeJobs } from '../../trades/index.ts';

/** Guaranteed trades as operators see them, across companies. */

let of: TradeWorld;
let console: OperatorApp;
let viewer: TestOperator;
let support: TestOperator;
beforeAll(async () => {
  of = await tradeWorld();
  console = await operatorApp(of.db);
  viewer = await console.operator('viewer');
  support = await console.operator('support');
});
afterAll(async () => {
  expect(of.world.complaints).toEqual([]);
  expect(console.complaints).toEqual([]);
  await console.close();
  await of.close();
});

const listed = async (query: Record<string, string> = {}) => {
  const answer = await console.ask(listOperatorTrades, { as: viewer, query });
  expect(answer.key).toBeNull();
  return answer.data;
};
const read = (companyId: string, id: string) =>
  console.ask(getOperatorTrade, { as: viewer, params: { companyId, id } });

test('both copies of a trade are listed, each with its company, narrowed by every filter and summed up by currency', async () => {
  const seller = await of.world.company('Delta Textiles');
  const late = new Date(Date.now() - 3_600_000).toISOString();
  const { company, said } = await trading(of, { actBy: late }, seller.address);
  const copies = (await listed({ search: said.number })).items.map(({ company: { id }, side }) => [id, side]);
  expect(copies.sort()).toEqual(
    [
      [company.id, 'buyer'],
      [seller.id, 'seller'],
    ].sort(),
  );
  const pages = await listed({ search: said.number, size: '10' });
  expect([pages.total, pages.next]).toEqual([2, null]);
  expect((await listed({ companyId: company.id })).frozen).toEqual([]);
  await confirmed(of, company.admin, said.id);
  const own = await listed({ companyId: company.id, state: 'in_progress', asset: 'USDT' });
  expect(own.items.map(({ id, troubles }) => [id, troubles])).toEqual([[said.id, ['overdue']]]);
  expect(own.frozen).toEqual([{ asset: 'USDT', decimals: 6, amount: '1000.000000', trades: 1 }]);
  const other = await trading(of);
  await confirmed(of, other.company.admin, other.said.id);
  expect((await listed()).frozen).toMatchObject([{ amount: '2000.000000', trades: 2 }]);
  expect((await listed({ companyId: company.id, asset: 'USDC' })).items).toEqual([]);
  await sendEvent(of, { ...said, version: 2, quantity: '4000' });
  const troubled = async (trouble: string) =>
    (await listed({ trouble })).items.map(({ company: { id }, id: trade }) => [id, trade]);
  expect(await troubled('contradicted')).toEqual([[company.id, said.id]]);
  expect(await troubled('overdue')).toEqual([[company.id, said.id]]);
  expect(await troubled('undelivered')).toEqual([]);
  expect((await console.ask(listOperatorTrades, { as: viewer, query: { cursor: 'no' } })).key).toBe('cursorInvalid');
});

test('one has the events as they arrived, its payments, its timeline, and what was sent to the platform', async () => {
  const { company, said } = await trading(of);
  await confirmed(of, company.admin, said.id);
  await sendEvent(of, { ...said, version: 3, phase: 'shipped' });
  await sendEvent(of, { ...said, version: 2, quantity: '7' });
  const transactionId = await released(of, { company, said, payeeId: await payeeOf(company.id) }, '400');
  const { data } = await read(company.id, said.id);
  expect(data).toMatchObject({ company: { id: company.id }, frozen: '600.000000', paying: '400.000000', version: 3 });
  expect(data.events.map(({ version, outcome }) => [version, outcome])).toEqual([
    [1, 'applied'],
    [2, 'contradicted'],
    [3, 'applied'],
  ]);
  expect(JSON.parse(present(data.events[1]).body)).toMatchObject({ data: { id: said.id, quantity: '7' } });
  expect(data.releases).toMatchObject([{ transactionId, amount: '400.000000', status: 'pending' }]);
  expect(data.messages.map(({ type, nextAt }) => [type, nextAt !== null])).toEqual([
    ['trade.confirmed', true],
    ['trade.released', false],
  ]);
  expect(data.timeline.map(({ step }) => step)).toEqual(['announced', 'frozen', 'contradicted', 'updated', 'released']);
  expect((await read(newId(), said.id)).key).toBe('tradeNotFound');
  expect((await read(company.id, newId())).key).toBe('tradeNotFound');
});

async function payeeOf(companyId: string): Promise<string> {
  const { rows } = await of.db.app.withCompany(companyId, (tx) =>
    sql<{ id: string }>`select id from crypto_payee where company_id = company_id()`.execute(tx),
  );
  return present(rows[0]).id;
}

test('the first message that was not accepted is sent now, by the worker, with a reason in the audit log', async () => {
  const { company, said, payeeId } = await trading(of);
  await confirmed(of, company.admin, said.id);
  await released(of, { company, said, payeeId }, '400');
  await asSuperuser(
    of,
    `set session_replication_role = replica; update causeway.trade_message set attempts = 9, problem = 'status 400', next_at = now() + interval '1 hour'
     where trade_id = '${said.id}' and number = 1`,
  );
  expect((await listed({ trouble: 'undelivered' })).items.map(({ id }) => id)).toEqual([said.id]);
  const params = { companyId: company.id, id: said.id };
  const waiting = async () => {
    const [first, second] = (await read(company.id, said.id)).data.messages;
    return { first: present(first), second: present(second) };
  };
  const { first, second } = await waiting();
  const ask = (messageId: string, as = support, of_ = params) =>
    console.ask(resendTradeMessage, { as, params: of_, body: { messageId, reason: 'the platform is mended' } });
  expect((await ask(first.id, viewer)).key).toBe('noPermission');
  expect((await ask(second.id)).key).toBe('tradeMessageNotWaiting');
  expect((await ask(first.id, support, { ...params, id: newId() })).key).toBe('tradeNotFound');
  expect((await ask(first.id)).key).toBeNull();
  const { rows } = await of.db.worker.withoutCompany((tx) =>
    sql<{
      payload: Record<string, unknown>;
    }>`delete from outbox where name = 'operator.resendTradeMessage' returning payload`.execute(tx),
  );
  const [job] = tradeJobs().filter(({ name }) => name === 'trades.resend');
  for (const { payload } of rows) {
    await job?.run({ companyId: '', database: of.db.worker, log: pino({ level: 'silent' }) } as never, payload);
  }
  expect(rows).toHaveLength(1);
  const now = await waiting();
  expect(Date.parse(present(now.first.nextAt))).toBeLessThanOrEqual(Date.now());
  const { rows: audited } = await of.db.console.withoutCompany((tx) =>
    sql<{ detail: Record<string, unknown> }>`
      select detail from audit_event where action = 'operator.resendTradeMessage'`.execute(tx),
  );
  expect(audited).toMatchObject([{ detail: { name: said.number, reason: 'the platform is mended' } }]);
  await followReleases(of);
});

test('a platform is connected where workers have checked one lately', async () => {
  const isChecked = () => of.db.console.withoutCompany(isTradePlatformChecked);
  expect(await isChecked()).toBe(false);
  await asSuperuser(
    of,
    `insert into causeway.component_state (name, state, since, checked_at) values ('trade-platform', 'ok', now(), now())`,
  );
  expect(await isChecked()).toBe(true);
  await asSuperuser(of, `update causeway.component_state set checked_at = now() - interval '1 hour'`);
  expect(await isChecked()).toBe(false);
});
