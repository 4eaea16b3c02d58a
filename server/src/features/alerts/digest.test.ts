import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { sayDay } from '../../platform/text/instant.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { credit, openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { keepTimeZone } from '../../testing/time-zone.ts';
import { noticeJobs } from '../notices/index.ts';
import { keepPrices } from '../rates/index.ts';
import { digestJob, registerAlertsRoutes } from './index.ts';
import { giveDigests } from './service/digest.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
/** The moment at which members choose. */
let now = new Date();
let mails: Mail[] = [];

const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
const jobs = noticeJobs({ mailer, publicUrl: 'https://console.example' });
const log = pino({ level: 'silent' });
const hourMs = 3_600_000;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, registerAlertsRoutes, { now: () => now });
  await db.worker.withoutCompany((tx) =>
    keepPrices(tx, [{ asset: 'USDT', usd: '1', source: 'test', updatedAt: new Date() }]),
  );
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
  await keepZone('UTC');
});

const keepZone = (timeZone: string) => keepTimeZone(db.app, company.id, timeZone);

/** A member who has chosen a digest at an hour, at an instant. */
async function reader(
  { hour = 9, at, always = true }: { hour?: number; at: string; always?: boolean },
  { role = 'finance', language = 'en_US' }: { role?: SystemRole; language?: string } = {},
): Promise<Caller> {
  now = new Date(at);
  const caller = http.signIn(company.id, role);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into member (company_id, id, identifier, email, language, role_id) values (company_id(),
      ${caller.session.userId}, ${newId()}, ${`${caller.session.userId}@example.com`}, ${language}, ${systemRoleIds[role]})`.execute(
      tx,
    ),
  );
  await caller.put('/web/notice/alerts', { on: { dailyDigest: true }, digestHour: hour, digestAlways: always });
  return caller;
}

/** What the clock of the worker does at an instant, and the mails that follow. */
async function strike(at: string | Date): Promise<number> {
  const before = mails.length;
  await giveDigests({ database: db.worker, log, now: new Date(at) });
  const { rows } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  for (const { name, payload } of rows) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) {
      await job.run({ companyId: company.id, database: db.worker, log }, payload);
    }
  }
  return mails.length - before;
}

/** How many mails each of these instants brings. */
async function strikes(...instants: string[]): Promise<number[]> {
  const counts: number[] = [];
  for (const instant of instants) counts.push(await strike(instant));
  return counts;
}

describe('the hour of a digest', () => {
  test('is struck by the clocks of the company, once a day', async () => {
    await keepZone('Asia/Hong_Kong');
    await reader({ hour: 18, at: '2026-11-20T02:00:00Z' });
    expect(
      await strikes(
        '2026-11-20T09:45:00Z',
        '2026-11-20T10:00:00Z',
        '2026-11-20T10:15:00Z',
        '2026-11-21T09:45:00Z',
        '2026-11-21T10:00:00Z',
      ),
    ).toEqual([0, 1, 0, 0, 1]);
  });

  test('of a zone between the hours is struck at its quarter', async () => {
    await keepZone('Asia/Kathmandu');
    await reader({ hour: 6, at: '2026-11-20T02:00:00Z' });
    expect(await strikes('2026-11-21T00:00:00Z', '2026-11-21T00:15:00Z')).toEqual([0, 1]);
    expect(digestJob().schedule).toBe('*/15 * * * *');
  });

  test('that a clock change leaves out is struck when the gap ends', async () => {
    await keepZone('Europe/London');
    // At 01:00 UTC clocks go from 01:00 to 02:00.
    await reader({ hour: 1, at: '2026-03-28T12:00:00Z' });
    expect(await strikes('2026-03-29T00:45:00Z', '2026-03-29T01:00:00Z', '2026-03-29T01:15:00Z')).toEqual([0, 1, 0]);
    expect(await strikes('2026-03-29T23:45:00Z', '2026-03-30T00:00:00Z')).toEqual([0, 1]);
  });

  test('that comes twice is struck once', async () => {
    await keepZone('Europe/London');
    // At 01:00 UTC clocks go back from 02:00 to 01:00.
    await reader({ hour: 1, at: '2026-10-24T12:00:00Z' });
    expect(
      await strikes(
        '2026-10-25T00:00:00Z',
        '2026-10-25T00:30:00Z',
        '2026-10-25T01:00:00Z',
        '2026-10-25T01:30:00Z',
        '2026-10-26T01:00:00Z',
      ),
    ).toEqual([0, 0, 1, 0, 1]);
  });

  test('that was missed is made up for once, and not for every day', async () => {
    await reader({ at: '2026-11-20T12:00:00Z' });
    expect(await strikes('2026-11-24T11:00:00Z', '2026-11-24T11:15:00Z', '2026-11-25T09:00:00Z')).toEqual([1, 0, 1]);
  });

  test('is not struck for a choice that was made after it', async () => {
    const caller = await reader({ hour: 18, at: '2026-11-20T12:00:00Z' });
    now = new Date('2026-11-20T15:00:00Z');
    await caller.put('/web/notice/alerts', { digestHour: 14 });
    expect(await strikes('2026-11-20T15:15:00Z', '2026-11-20T18:00:00Z', '2026-11-21T14:00:00Z')).toEqual([0, 0, 1]);
  });

  test('follows the company to another time zone without a second digest', async () => {
    await reader({ at: '2026-11-20T12:00:00Z' });
    expect(await strike('2026-11-21T09:00:00Z')).toBe(1);
    await keepZone('America/New_York');
    expect(await strikes('2026-11-21T13:00:00Z', '2026-11-21T14:00:00Z')).toEqual([0, 1]);
  });
});

describe('a digest', () => {
  test('has the balances, what came in and out and what waits, in the reader’s language', async () => {
    await reader({ at: new Date(Date.now() - hourMs).toISOString() }, { language: 'zh_HK' });
    await credit(db, company, 'USDT', 1_250_500_000n);
    const at = new Date(Date.now() + 24 * hourMs);
    expect(await strike(at)).toBe(1);
    const [mail] = mails;
    expect(mail?.subject).toBe(`每日摘要 ${sayDay(at.toISOString().slice(0, 10), 'zh-hk')}`);
    expect(mail?.text).toContain('轉入 1,250.50 USD，轉出 0.00 USD。現時總資產 1,250.50 USD。沒有待你審批的申請。');
    expect(mail?.text).toContain('USDT · Ethereum');
    expect(mail?.text).toContain('1,250.50 USDT (+1,250.50)');
    expect(mail?.text).toContain('https://console.example/app/home');
  });

  test('says its day and its beginning on the clocks of the company', async () => {
    await keepZone('America/New_York');
    await reader({ hour: 21, at: '2026-03-07T12:00:00Z' });
    // The clocks go forward in the night between.
    expect(await strikes('2026-03-08T02:00:00Z', '2026-03-09T01:00:00Z')).toEqual([1, 1]);
    expect(mails.map(({ subject }) => subject)).toEqual(['Daily digest, Mar 7, 2026', 'Daily digest, Mar 8, 2026']);
    expect(mails[1]?.text).toContain('Since Mar 7, 2026, 21:00 (GMT-5): ');
  });

  test('begins where the last one ended', async () => {
    await reader({ at: new Date(Date.now() - hourMs).toISOString() });
    await credit(db, company, 'USDT', 1_000_000n);
    await strike(new Date(Date.now() + 24 * hourMs));
    await strike(new Date(Date.now() + 48 * hourMs));
    expect(mails.map(({ text }) => text.includes('1.00 USD paid in'))).toEqual([true, false]);
  });

  test('is left out where nothing happened, unless the reader wants it all the same', async () => {
    await reader({ at: '2026-11-20T12:00:00Z', always: false });
    expect(await strike('2026-11-21T09:00:00Z')).toBe(0);
    await reader({ at: '2026-11-21T10:00:00Z', always: true });
    expect(await strike('2026-11-22T09:00:00Z')).toBe(1);
  });

  test('is given once by two workers, and once by one that is started again', async () => {
    await reader({ at: '2026-11-20T12:00:00Z' });
    const instant = new Date('2026-11-21T09:00:00Z');
    await Promise.all([1, 2, 3].map(() => giveDigests({ database: db.worker, log, now: instant })));
    expect(await strike(instant)).toBe(1);
  });

  test('is not given to a member who may no longer see wallets, nor to one who has left, and is not kept for later', async () => {
    const seeing = await reader({ at: '2026-11-20T12:00:00Z' });
    const leaving = await reader({ at: '2026-11-20T12:00:00Z' });
    const roleId = newId();
    await db.app.withCompany(company.id, async (tx) => {
      await sql`insert into role (company_id, id, name, permissions, active)
        values (company_id(), ${roleId}, 'Notices', '{notice.view}', true)`.execute(tx);
      await sql`update member set role_id = ${roleId} where company_id = company_id() and id = ${seeing.session.userId}`.execute(
        tx,
      );
      await sql`update member set disabled_at = now() where company_id = company_id() and id = ${leaving.session.userId}`.execute(
        tx,
      );
    });
    expect(await strike('2026-11-21T09:00:00Z')).toBe(0);
    await db.app.withCompany(company.id, (tx) =>
      sql`update member set role_id = ${systemRoleIds.finance} where company_id = company_id() and id = ${seeing.session.userId}`.execute(
        tx,
      ),
    );
    expect(await strikes('2026-11-21T09:15:00Z', '2026-11-22T09:00:00Z')).toEqual([0, 1]);
  });
});
