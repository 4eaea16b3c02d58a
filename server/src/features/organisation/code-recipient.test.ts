import * as identity from '@causeway/contract/identity.ts';
import * as calls from '@causeway/contract/organisation.ts';
import { transferOut } from '@causeway/contract/transfers.ts';
import { sql } from 'kysely';
import { Secret, TOTP } from 'otpauth';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { createLog } from '../../platform/process/log.ts';
import type { Mail } from '../../platform/text/mail.ts';
import { credit } from '../../testing/company.ts';
import { testDatabase } from '../../testing/database.ts';
import { type MainApp, type Member, mainApp, type Tenant } from '../../testing/main-app.ts';
import { encrypted, succeed, transferContent } from '../../testing/valid-requests.ts';
import { identityJobs } from '../identity/index.ts';
import { findTimeZone } from './index.ts';

/** By a setting of the company, a transfer's code is mailed to its administrators instead of its initiator. */

let world: MainApp;
let tenant: Tenant;
beforeAll(async () => {
  world = await mainApp(await testDatabase());
});
beforeEach(async () => {
  tenant = await world.company();
  await credit(world.db, tenant, 'USDT', 1_000_000_000n);
  const body = { timeZone: 'UTC', codeRecipient: 'administrator' };
  await succeed(world, calls.setCompanySettings, { as: tenant.admin, body });
});
afterAll(async () => {
  await world.close();
  await world.db.close();
});
afterEach(() => expect(world.complaints.splice(0)).toEqual([]));

/** Asks for a transfer's code, and does what the mail job would. */
async function request(as: Member, content: object): Promise<{ recipient: string; mails: Mail[] }> {
  const mails: Mail[] = [];
  const mailer = { send: async (mail: Mail) => void mails.push(mail), close: () => undefined };
  const jobs = identityJobs({
    mailer,
    mailSecret: world.mailSecret,
    publicUrl: 'https://causeway.example',
    timeZoneOf: findTimeZone,
  });
  const job = jobs.find(({ name }) => name === 'identity.mailCode');
  const body = { scenario: 'transaction', subject: { kind: 'transfer', content } };
  const { recipient } = (await succeed(world, identity.sendUserCode, { as, body })).data;
  const { rows } = await world.db.worker.withoutCompany((tx) =>
    sql<{ payload: Record<string, unknown> }>`
      delete from outbox where name = 'identity.codeRequested' returning payload`.execute(tx),
  );
  const context = { companyId: tenant.id, database: world.db.worker, log: createLog('test', 'silent') };
  for (const { payload } of rows) await job?.run(context, payload);
  return { recipient, mails };
}

const submit = (as: Member, content: object, proof: object) =>
  world.ask(transferOut, { as, body: { ...content, fee: '1', ...proof } });

test('each administrator is told who asks and for what, in their own language; the code proves the transfer', async () => {
  const clerk = await world.member(tenant, 'finance');
  const second = await world.member(tenant, 'administrator');
  await succeed(world, identity.setLanguage, { as: second, body: { language: 'zh_HK' } });
  const content = await transferContent(world, tenant);
  const { recipient, mails } = await request(clerk, content);
  expect(recipient).toBe('administrator');
  expect(mails.map(({ to }) => to).sort()).toEqual([tenant.admin.email, second.email].sort());
  const [english, chinese] = [tenant.admin, second].map(({ email }) => mails.find(({ to }) => to === email));
  const code = english?.subject.slice(0, 6) ?? '';
  expect(english?.subject).toBe(`${code} confirms a transfer by Ada Wong: 5.00 USDT · Supplier`);
  expect(english?.text).toContain('Requested by: Ada Wong');
  expect(english?.text).toContain('Amount: 5.00 USDT');
  expect(chinese?.subject).toBe(`${code}：確認 Ada Wong 的轉帳，5.00 USDT · Supplier`);
  expect((await submit(clerk, content, { codeMethod: 'email', code })).status).toBe(200);
});

test('an administrator’s transfer is confirmed by another one; the only one confirms their own', async () => {
  const content = await transferContent(world, tenant);
  const own = await request(tenant.admin, content);
  expect([own.recipient, own.mails.map(({ to }) => to)]).toEqual(['initiator', [tenant.admin.email]]);
  const second = await world.member(tenant, 'administrator');
  const other = await request(second, content);
  expect([other.recipient, other.mails.map(({ to }) => to)]).toEqual(['administrator', [tenant.admin.email]]);
});

test('an authenticator of the initiator does not stand in for the administrator’s mail', async () => {
  const clerk = await world.member(tenant, 'finance');
  const { secret } = (await succeed(world, identity.getMfa, { as: clerk })).data;
  const totp = new TOTP({ secret: Secret.fromBase32(secret!) });
  const bind = { password: await encrypted(world), code: totp.generate() };
  await succeed(world, identity.bindMfa, { as: clerk, body: bind });
  const proof = { codeMethod: 'otp_auth', code: totp.generate({ timestamp: Date.now() + 30_000 }) };
  const content = await transferContent(world, tenant);
  expect(await submit(clerk, content, proof)).toMatchObject({ status: 400, key: 'codeForAdministrator' });
  const body = { timeZone: 'UTC', codeRecipient: 'initiator' };
  await succeed(world, calls.setCompanySettings, { as: tenant.admin, body });
  expect((await submit(clerk, content, proof)).status).toBe(200);
});
