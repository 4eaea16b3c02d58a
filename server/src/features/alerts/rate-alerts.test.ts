import { systemRoleIds } from '@causeway/contract/permission.ts';
import { mostRateAlerts } from '@causeway/contract/rates-rules.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { keepTestMids } from '../../testing/prices.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { noticeJobs } from '../notices/index.ts';
import { registerAlertsRoutes } from './index.ts';
import { giveRateAlerts } from './service/rate-alerts.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let mails: Mail[] = [];

const path = '/web/notice/alerts/rates';
const log = pino({ level: 'silent' });
const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
const jobs = noticeJobs({ mailer, publicUrl: 'https://console.example' });

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, registerAlertsRoutes);
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  mails = [];
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
  await keepTestMids(db, { ETH: '3000', HKD: '0.125' });
});

async function member(language = 'en_US'): Promise<Caller> {
  const caller = http.signIn(company.id, 'finance');
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into member (company_id, id, identifier, email, language, role_id) values (company_id(), ${caller.session.userId},
      ${newId()}, ${`${language}@example.com`}, ${language}, ${systemRoleIds.finance})`.execute(tx),
  );
  return caller;
}

const alertOf = (direction: 'above' | 'below', value: string) => ({
  id: newId(),
  sell: 'ETH',
  buy: 'HKD',
  direction,
  value,
});

/** What a round gives, and the mails that follow. */
async function round(): Promise<void> {
  await Promise.all([giveRateAlerts(db.worker, log), giveRateAlerts(db.worker, log)]);
  const { rows } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  for (const { name, payload } of rows) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) {
      await job.run({ companyId: company.id, database: db.worker, log }, payload);
    }
  }
}

test('is given once, by notice and mail in the member’s language, when the rate reaches the value', async () => {
  const [english, chinese] = [await member(), await member('zh_HK')];
  expect((await english.post(path, alertOf('above', '25000'))).status).toBe(200);
  await chinese.post(path, alertOf('below', '23000.5'));
  await round();
  expect(mails).toEqual([]);
  await keepTestMids(db, { ETH: '3125' });
  await round();
  await round();
  expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
    ['en_US@example.com', 'ETH at 25000 HKD, above 25000'],
  ]);
  expect(mails[0]?.text).toContain('https://console.example/app/wallet/rates/ETH-HKD');
  expect((await english.get(path)).data.items).toMatchObject([{ firedRate: '25000', firedAt: expect.any(String) }]);
  await keepTestMids(db, { ETH: '2875' });
  await round();
  expect(mails.map(({ subject }) => subject).slice(1)).toEqual(['ETH 跌至 23000 HKD，低於 23000.5']);
});

test('waits while the rate may not be quoted, and for a member who may not see wallets', async () => {
  const finance = await member();
  await finance.post(path, alertOf('above', '24000'));
  await keepTestMids(db, { ETH: '9000' }, 'disagreeing');
  await round();
  expect(mails).toEqual([]);
  await keepTestMids(db, { ETH: '3000' });
  const roles = (permissions: string) =>
    db.app.withCompany(company.id, async (tx) => {
      const roleId = newId();
      await sql`insert into role (company_id, id, name, permissions, active)
        values (company_id(), ${roleId}, ${roleId}, ${permissions}::text[], true)`.execute(tx);
      await sql`update member set role_id = ${roleId} where company_id = company_id() and id = ${finance.session.userId}`.execute(
        tx,
      );
    });
  await roles('{notice.view}');
  await round();
  expect(mails).toEqual([]);
  await roles('{notice.view,wallet.view}');
  await round();
  expect(mails).toHaveLength(1);
});

test('is one’s own, of a pair that has a rate, and one of twenty at most', async () => {
  const [finance, other] = [await member(), await member('zh_CN')];
  const first = alertOf('above', '30000');
  expect((await finance.post(path, first)).data).toMatchObject({
    sell: 'ETH',
    buy: 'HKD',
    value: '30000',
    firedAt: null,
  });
  expect((await finance.post(path, first)).key).toBe('idTaken');
  expect((await other.get(path)).data.items).toEqual([]);
  const its = `${path}/${first.id}` as '/web/notice/alerts/rates/{id}';
  expect((await other.delete(its)).key).toBe('notFound');
  expect((await finance.post(path, { ...alertOf('above', '1'), buy: 'POL' })).key).toBe('rateUnknown');
  for (const body of [{ value: '0.00' }, { value: '-1' }, { value: '1e5' }, { buy: 'ETH' }, { direction: 'past' }]) {
    expect((await finance.post(path, { ...alertOf('above', '1'), ...body } as never)).key).toBe('validationFailed');
  }
  const answers = await Promise.all(
    Array.from({ length: mostRateAlerts + 2 }, () => finance.post(path, alertOf('above', '30000'))),
  );
  expect(answers.filter(({ key }) => key === 'tooManyRateAlerts')).toHaveLength(3);
  expect((await finance.delete(its)).status).toBe(200);
  expect((await finance.get(path)).data.items).toHaveLength(mostRateAlerts - 1);
});
