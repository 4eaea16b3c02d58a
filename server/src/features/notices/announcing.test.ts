import { setLanguage } from '@causeway/contract/identity.ts';
import { setNoticePreferences } from '@causeway/contract/notices.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { succeed } from '../../testing/succeed.ts';
import { nilCompany } from '../identity/index.ts';
import { noticeJobs, publishAnnouncement } from './index.ts';

/** Announcements are mailed to everybody who has not chosen otherwise, each once, however often the work is interrupted. */

let db: TestDatabase;
let world: MainApp;
const mails: Mail[] = [];
const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
const jobs = noticeJobs({ mailer, publicUrl: 'https://console.example' });
const log = pino({ level: 'silent' });

// Each with companies of its own: an announcement is for all there are.
beforeEach(async () => {
  db = await testDatabase();
  world = await mainApp(db);
  mails.length = 0;
});
afterEach(async () => {
  expect(world.complaints).toEqual([]);
  await world.close();
  await db.close();
});

const texts = {
  'en-us': { title: 'Maintenance on Sunday', body: 'From 02:00 to 04:00.\n\nTransfers wait <meanwhile>.' },
  'zh-hk': { title: '星期日系統維護', body: '凌晨二時至四時。' },
  'zh-cn': { title: '周日系统维护', body: '凌晨两点至四点。' },
};
const publish = () => db.operator.withCompany(nilCompany, (tx) => publishAnnouncement(tx, texts, 'ops'));

interface Due {
  companyId: string;
  name: string;
  payload: Record<string, unknown>;
}

async function takeOutbox(): Promise<Due[]> {
  const { rows } = await db.worker.withoutCompany((tx) =>
    sql<Due>`delete from outbox where name <> 'live' returning company_id as "companyId", name, payload`.execute(tx),
  );
  return rows;
}

async function run(due: readonly Due[], database: Database = db.worker): Promise<void> {
  for (const { companyId, name, payload } of due) {
    for (const job of jobs.filter(({ on }) => on?.includes(name))) await job.run({ companyId, database, log }, payload);
  }
}

/** The worker's database, whose process is gone after so many transactions. */
function dyingAfter(transactions: number): Database {
  let left = transactions;
  const orDie = () => {
    left -= 1;
    if (left < 0) throw new Error('killed');
  };
  return {
    ...db.worker,
    withCompany: async (...given) => {
      orDie();
      return db.worker.withCompany(...given);
    },
    withoutCompany: async (work) => {
      orDie();
      return db.worker.withoutCompany(work);
    },
  };
}

const addresses = (of: readonly Mail[]) => of.map(({ to }) => to).sort();
const emails = (members: readonly Member[]) => members.map(({ email }) => email).sort();

async function companies(count: number): Promise<{ tenants: Tenant[]; people: Member[] }> {
  const tenants: Tenant[] = [];
  const people: Member[] = [];
  for (let index = 0; index < count; index++) {
    const tenant = await world.company();
    tenants.push(tenant);
    people.push(tenant.admin, await world.member(tenant, 'viewer'));
  }
  return { tenants, people };
}

test('goes to the members of all companies in their languages, but to those who chose otherwise, left, or came later', async () => {
  const { tenants, people } = await companies(2);
  const [tenant, other] = tenants as [Tenant, Tenant];
  const quiet = await world.member(tenant, 'finance');
  const groups = [{ group: 'announcement', mail: false }];
  await succeed(world, setNoticePreferences, { as: quiet, body: { groups } });
  await succeed(world, setLanguage, { as: other.admin, body: { language: 'zh_HK' } });
  const gone = await world.member(other, 'viewer');
  await db.app.withCompany(other.id, (tx) =>
    sql`update member set disabled_at = now() where company_id = company_id() and id = ${gone.session.userId}`.execute(
      tx,
    ),
  );
  await takeOutbox();
  await publish();
  await world.member(tenant, 'viewer');
  await run(await takeOutbox());
  const due = await takeOutbox();
  await run(due);
  await run(due);
  expect(addresses(mails)).toEqual(emails(people));
  expect(mails.find(({ to }) => to === other.admin.email)?.subject).toBe('星期日系統維護');
  const english = mails.find(({ to }) => to === tenant.admin.email);
  expect(english?.subject).toBe('Maintenance on Sunday');
  expect(english?.text).toContain('From 02:00 to 04:00.\n\nTransfers wait <meanwhile>.');
  expect(english?.html).toContain('Transfers wait &lt;meanwhile&gt;.');
});

test('goes on where it stopped, wherever it was killed: each once', async () => {
  const { people } = await companies(3);
  await takeOutbox();
  let killed = 0;
  for (let transactions = 0; ; transactions++) {
    mails.length = 0;
    await publish();
    const published = await takeOutbox();
    const died = await run(published, dyingAfter(transactions)).then(
      () => false,
      () => true,
    );
    // Its job is tried again; another worker may even have begun it as well.
    await Promise.all([run(published), run(published)]);
    const due = await takeOutbox();
    expect(due).toHaveLength(people.length);
    await run(due);
    expect(addresses(mails)).toEqual(emails(people));
    if (!died) break;
    killed += 1;
  }
  expect(killed).toBeGreaterThanOrEqual(5);
});
