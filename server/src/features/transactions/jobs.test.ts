import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { sql } from 'kysely';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { noticeJobs } from '../notices/index.ts';
import { reached, transactionNoticeJobs } from './index.ts';

let db: TestDatabase;
let company: TestCompany;
let mails: Mail[] = [];
let brokenMailbox: string | null = null;

const mailer = {
  async send(mail: Mail) {
    if (mail.to === brokenMailbox) throw new Error('mailbox is full');
    mails.push(mail);
  },
  close: () => undefined,
};
const jobs = [...transactionNoticeJobs(), ...noticeJobs({ mailer, publicUrl: 'https://console.example' })];
const log = pino({ level: 'silent' });

beforeAll(async () => {
  db = await testDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  mails = [];
  brokenMailbox = null;
  company = await openTestCompany(db);
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`.execute(tx),
  );
});

async function addMember(email: string, language: string, role: SystemRole): Promise<string> {
  const id = newId();
  await db.app.withCompany(company.id, (tx) =>
    sql`insert into member (company_id, id, identifier, email, language, role_id)
      values (company_id(), ${id}, ${id}, ${email}, ${language}, ${systemRoleIds[role]})`.execute(tx),
  );
  return id;
}

/** Announces that a transaction has come to a stage, and does what relay and worker would. */
async function reach(stage: Stage, transactionId: string): Promise<void> {
  const { name, payload } = reached(transactionId, stage);
  await happen(name, payload);
}

/** Does what relay and worker would, once for each event. */
async function happen(name: string, payload: Record<string, unknown>): Promise<void> {
  for (const job of jobs.filter(({ on }) => on?.includes(name))) {
    await job.run({ companyId: company.id, database: db.worker, log }, payload);
  }
}

async function takeOutbox(): Promise<{ name: string; payload: Record<string, unknown> }[]> {
  const { rows } = await db.worker.withCompany(company.id, (tx) =>
    sql<{ name: string; payload: Record<string, unknown> }>`
      delete from outbox where company_id = company_id() returning name, payload`.execute(tx),
  );
  return rows.filter(({ name }) => name !== 'live');
}

async function noticeKinds(): Promise<string[]> {
  const { rows } = await db.app.withCompany(company.id, (tx) =>
    sql<{ kind: string }>`select kind from notice where company_id = company_id() order by id`.execute(tx),
  );
  return rows.map(({ kind }) => kind);
}

test('a credited deposit is told once, and mailed to those who may use it, each in their language', async () => {
  await addMember('admin@example.com', 'en_US', 'administrator');
  await addMember('finance@example.com', 'zh_HK', 'finance');
  await addMember('viewer@example.com', 'zh_CN', 'viewer');
  const hash = `0x${'7'.repeat(64)}`;
  const transactionId = await insertTestTransaction(db, company, { quantityMinor: 12_500_000n, hash });
  await reach('credited', transactionId);
  await reach('credited', transactionId);
  const due = await takeOutbox();
  expect(due).toHaveLength(2);
  for (const { name, payload } of due) await happen(name, payload);
  expect(await noticeKinds()).toEqual(['depositCredited']);
  const bySender = new Map(mails.map((mail) => [mail.to, mail]));
  expect(bySender.get('admin@example.com')?.subject).toBe('Deposit of 12.50 USDT credited');
  expect(bySender.get('finance@example.com')?.subject).toBe('12.50 USDT 充值已入帳');
  expect(bySender.has('viewer@example.com')).toBe(false);
  expect(bySender.get('admin@example.com')?.text).toContain(`https://console.example/app/transaction/${transactionId}`);
  expect(bySender.get('admin@example.com')?.text).toContain(hash);
});

test('a failed transfer goes to whoever started it, with the reason in words', async () => {
  const initiatorId = await addMember('ada@example.com', 'zh_CN', 'finance');
  await addMember('admin@example.com', 'en_US', 'administrator');
  const transactionId = await insertTestTransaction(db, company, {
    type: 'chain_withdraw',
    status: 'failed',
    stage: 'failed',
    payeeName: '<b>Supplier</b>',
    initiatorId,
    failureReason: 'stage.reason.reverted',
  });
  await reach('failed', transactionId);
  for (const { name, payload } of await takeOutbox()) await happen(name, payload);
  expect(mails.map(({ to }) => to)).toEqual(['ada@example.com']);
  expect(mails[0]?.text).toContain('网络执行后回退了该笔转账');
  expect(mails[0]?.html).toContain('&lt;b&gt;Supplier&lt;/b&gt;');
});

test('a mailbox that fails delays nobody else’s', async () => {
  await addMember('full@example.com', 'en_US', 'administrator');
  await addMember('fine@example.com', 'en_US', 'finance');
  brokenMailbox = 'full@example.com';
  const transactionId = await insertTestTransaction(db, company);
  await reach('credited', transactionId);
  const outcomes = await Promise.allSettled((await takeOutbox()).map(({ name, payload }) => happen(name, payload)));
  expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  expect(mails.map(({ to }) => to)).toEqual(['fine@example.com']);
});

test('a deposit is no notice before it is credited; orphaned and cancelled are notices alone', async () => {
  await addMember('admin@example.com', 'en_US', 'administrator');
  const transactionId = await insertTestTransaction(db, company);
  for (const stage of ['seen', 'orphaned', 'cancelled'] as const) await reach(stage, transactionId);
  expect(await takeOutbox()).toEqual([]);
  expect(await noticeKinds()).toEqual(['depositOrphaned', 'transferCancelled']);
});
