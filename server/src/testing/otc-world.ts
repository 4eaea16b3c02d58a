import { exchange } from '@causeway/contract/exchange.ts';
import { sendUserCode } from '@causeway/contract/identity.ts';
import { getDeskRequest, quoteDeskRequest } from '@causeway/contract/operator-otc.ts';
import { askOtc, getOtc, type OtcDetail } from '@causeway/contract/otc.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { lapseRequestsJob, otcJobs } from '../features/otc/index.ts';
import type { Database } from '../platform/database/database.ts';
import { newId } from '../platform/ids.ts';
import { credit, type TestCompany } from './company.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { asSuperuser } from './exchange-world.ts';
import { type MainApp, type Member, mainApp, type Request, type Tenant } from './main-app.ts';
import { type OperatorApp, operatorApp, type TestOperator } from './operator-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** A company's process and the operator's on one database: what tests of requests to the desk work with. */
export interface OtcWorld {
  world: MainApp;
  desk: OperatorApp;
  dealer: TestOperator;
  close(): Promise<void>;
}

/** `ofMain`: what the company's process has of the database. */
export async function otcWorld(ofMain = (database: Database) => database): Promise<OtcWorld> {
  const db = await testDatabase();
  const world = await mainApp({ ...db, app: ofMain(db.app) });
  const desk = await operatorApp(db);
  return {
    world,
    desk,
    dealer: await desk.operator('treasury'),
    async close() {
      await desk.close();
      await world.close();
      await db.close();
    },
  };
}

type Coin = keyof TestCompany['wallets'];

export interface Asking {
  sell?: Coin;
  buy?: Coin;
  fixed?: 'sell' | 'buy';
  amount?: string;
  deadline?: string;
  note?: string;
}

const hourMs = 3_600_000;

/** By default: what 60,000 USDT are worth in ETH, within an hour. */
export function asking({ wallets }: Pick<TestCompany, 'wallets'>, given: Asking = {}) {
  const { sell = 'USDT', buy = 'ETH', fixed = 'sell', amount = '60000', note = '' } = given;
  const deadline = given.deadline ?? new Date(Date.now() + hourMs).toISOString();
  return { key: newId(), sellWalletId: wallets[sell], buyWalletId: wallets[buy], fixed, amount, deadline, note };
}

/** @returns the request's id */
export async function asked(world: MainApp, tenant: Tenant, as: Member, given: Asking = {}): Promise<string> {
  return (await succeed(world, askOtc, { as, body: asking(tenant, given) })).data.id;
}

/** By default 2,520 USDT for an ether, whose middle price is 2,500. */
export async function quoted(
  { desk, dealer }: Pick<OtcWorld, 'desk' | 'dealer'>,
  id: string,
  { rate = '0.000396825', minutes = 30, text = '' } = {},
) {
  const { data } = await desk.ask(getDeskRequest, { as: dealer, params: { id } });
  const body = { version: data.version, rate, minutes, text };
  return desk.ask(quoteDeskRequest, { as: dealer, params: { id }, body });
}

export async function detailOf(world: MainApp, as: Member, id: string): Promise<OtcDetail> {
  return (await succeed(world, getOtc, { as, params: { id } })).data;
}

/** The exchange that accepts the desk's quote, with a code that was mailed for it. */
export async function acceptance(
  world: MainApp,
  as: Member,
  id: string,
): Promise<Request & { as: Member; body: Record<string, unknown> }> {
  const { sell, buy, fixed, amount, offer } = await detailOf(world, as, id);
  const quote = present(offer);
  const content = {
    id: newId(),
    sellWalletId: sell.walletId,
    buyWalletId: buy.walletId,
    fixed,
    amount,
    bound: fixed === 'sell' ? quote.buy.quantity : quote.sell.total,
  };
  await succeed(world, sendUserCode, { as, body: { scenario: 'transaction', subject: { kind: 'exchange', content } } });
  return { as, body: { ...content, quoteId: quote.id, codeMethod: 'email', code: await world.takeCode() } };
}

/** Accepts the desk's quote. @returns the exchange's id */
export async function accepted(world: MainApp, as: Member, id: string) {
  return (await succeed(world, exchange, await acceptance(world, as, id))).data;
}

/** A company with 100,000 USDT. */
export async function wealthy(world: MainApp, usdt = 100_000n): Promise<Tenant> {
  const tenant = await world.company();
  await credit(world.db, tenant, 'USDT', usdt * 1_000_000n);
  return tenant;
}

/** Moves the deadline of a request into the past; what no role of the product does. */
export async function passDeadline(db: TestDatabase, id: string): Promise<void> {
  await asSuperuser(
    db,
    `set session_replication_role = replica;
     update causeway.otc_request set deadline = clock_timestamp() - interval '1 second' where id = '${id}'`,
  );
}

/** Runs the worker's round over requests whose deadline has passed. */
export async function lapseDue(db: TestDatabase): Promise<void> {
  await lapseRequestsJob().run({
    database: db.worker,
    log: pino({ enabled: false }),
    signal: new AbortController().signal,
  });
}

/** Does what relay and worker do with the events of requests. */
export async function tellAll(db: TestDatabase): Promise<void> {
  const [job] = otcJobs();
  const { on = [], run } = present(job);
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<{ companyId: string; payload: Record<string, unknown> }>`
      with taken as (delete from outbox where name = any (${[...on]}::text[]) returning id, company_id, payload)
      select company_id as "companyId", payload from taken order by id`.execute(tx),
  );
  for (const { companyId, payload } of rows) {
    await run({ companyId, database: db.worker, log: pino({ enabled: false }) }, payload);
  }
}

/** Of the calls about requests to the desk: a request that succeeds, as in `validRequests`. */
export const otcRequests: Record<string, (world: MainApp, tenant: Tenant) => Promise<Request>> = {
  getOtcTerms: async (_, { admin }) => ({ as: admin }),
  askOtc: async (_, tenant) => ({ as: tenant.admin, body: asking(tenant) }),
  listOtc: async (_, { admin }) => ({ as: admin }),
  exportOtc: async (_, { admin }) => ({ as: admin }),
  getOtc: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await asked(world, tenant, tenant.admin) },
  }),
  counterOtc: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await asked(world, tenant, tenant.admin) },
    body: { version: 1, rate: '0.0004', text: 'Can you do better?' },
  }),
  noteOtc: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await asked(world, tenant, tenant.admin) },
    body: { text: 'Before noon if you can.' },
  }),
  withdrawOtc: async (world, tenant) => ({
    as: tenant.admin,
    params: { id: await asked(world, tenant, tenant.admin) },
  }),
};
