import { type Inbox, startInbox } from '@causeway/sandbox/inbox.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Jobs, startJobs } from '../../platform/jobs/jobs.ts';
import type { Loop } from '../../platform/jobs/loop.ts';
import { startRelay } from '../../platform/jobs/relay.ts';
import { createLog } from '../../platform/process/log.ts';
import { type Mailer, smtpMailer } from '../../platform/text/mail.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { findTimeZone } from '../organisation/index.ts';
import { identityJobs } from './index.ts';

/** The whole way of a code: outbox, relay, job, SMTP, inbox; no part is replaced. */

const mailSecret = 'delivery-delivery-delivery-delivery-delivery1';
let db: TestDatabase;
let app: TestIdentity;
let inbox: Inbox;
let mailer: Mailer;
let relay: Loop;
let runner: Jobs;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db, { mailSecret });
  inbox = await startInbox();
  mailer = smtpMailer(inbox.url, 'Causeway <no-reply@causeway.example>');
  const log = createLog('test', 'silent');
  const jobs = identityJobs({
    mailer,
    mailSecret,
    publicUrl: 'https://causeway.example',
    timeZoneOf: findTimeZone,
  });
  relay = startRelay(db.worker, jobs, log);
  runner = await startJobs({ database: db.worker, log, concurrency: 2 }, jobs);
});
afterAll(async () => {
  await relay.stop();
  await runner.stop();
  mailer.close();
  await inbox.stop();
  await app.close();
  await db.close();
});

test('a code is in the inbox at once, and nowhere on its way to be read', async () => {
  const email = 'chan@example.com';
  const captcha = await app.captcha();
  const sent = await app.call({ path: '/common/send-register-code', language: 'zh-hk', body: { email, captcha } });
  expect(sent.status).toBe(200);
  const mail = await vi.waitFor(
    () => {
      const [found] = inbox.list(email);
      if (!found) throw new Error('not there yet');
      return found;
    },
    { timeout: 20_000, interval: 10 },
  );
  expect(mail.subject).toBe(`${mail.codes[0]} 是你的 Causeway 註冊驗證碼`);
  expect(mail.language).toBe('zh-HK');
});

test('a mail server that refuses for a while loses no code', async () => {
  inbox.setMode('refusing');
  const email = 'lee@example.com';
  await app.call({ path: '/common/send-register-code', body: { email, captcha: await app.captcha() } });
  const failed = () =>
    db.worker.pool.query(
      'select last_error, payload::text from graphile_worker._private_jobs where last_error is not null',
    );
  const { rows } = await vi.waitFor(
    async () => {
      const found = await failed();
      if (found.rows.length === 0) throw new Error('not tried yet');
      return found;
    },
    { timeout: 20_000, interval: 20 },
  );
  expect(rows[0].last_error).toContain('451');
  expect(rows[0].payload).not.toContain(email);
  expect(rows[0].payload).not.toMatch(/"code"/);
  inbox.setMode('ok');
  await vi.waitFor(() => expect(inbox.list(email)).toHaveLength(1), { timeout: 20_000, interval: 20 });
});
