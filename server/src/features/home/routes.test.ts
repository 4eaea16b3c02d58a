import { type FirstStep, firstSteps } from '@causeway/contract/home-rules.ts';
import { type SystemRole, systemRoleIds } from '@causeway/contract/permission.ts';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { newId } from '../../platform/ids.ts';
import { openTestCompany, type TestCompany } from '../../testing/company.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Caller, type SessionApp, sessionApp } from '../../testing/session-app.ts';
import { insertTestTransaction } from '../../testing/transactions.ts';
import { registerHomeRoutes } from './index.ts';

let db: TestDatabase;
let http: SessionApp;
let company: TestCompany;
let admin: Caller;

beforeAll(async () => {
  db = await testDatabase();
  http = await sessionApp(db.app, registerHomeRoutes);
});
afterAll(async () => {
  await http.close();
  await db.close();
});
beforeEach(async () => {
  company = await openTestCompany(db);
  await write(sql`insert into company (company_id, name) values (company_id(), 'Far Voyage')`);
  admin = await member('administrator');
});

const write = (statement: ReturnType<typeof sql>) => db.app.withCompany(company.id, (tx) => statement.execute(tx));

async function member(role: SystemRole, activated = true): Promise<Caller> {
  const caller = http.signIn(company.id, role);
  const { userId } = caller.session;
  await write(sql`insert into member (company_id, id, identifier, email, language, role_id, activated_at)
    values (company_id(), ${userId}, ${newId()}, ${`${userId}@example.com`}, 'en_US', ${systemRoleIds[role]},
      ${activated ? new Date() : null})`);
  return caller;
}

async function states(of: Caller = admin): Promise<Partial<Record<FirstStep, string>>> {
  const { data } = await of.get('/web/home/first-steps');
  return Object.fromEntries(data.steps.map(({ step, state }) => [step, state]));
}

describe('the first steps', () => {
  test('are all open for the first administrator of a new company', async () => {
    expect(await states()).toEqual(Object.fromEntries(firstSteps.map((step) => [step, 'open'])));
  });

  test('are those that a role allows', async () => {
    expect(Object.keys(await states(await member('viewer')))).toEqual(['name', 'secondFactor']);
    expect(Object.keys(await states(await member('approver')))).toEqual(['name', 'secondFactor']);
    expect(Object.keys(await states(await member('finance')))).toEqual(['name', 'secondFactor', 'payee', 'recharge']);
  });

  test.each([
    [
      'an authenticator',
      (userId: string) =>
        sql`insert into credential (company_id, user_id, password_hash, totp_secret, totp_bound_at)
          values (company_id(), ${userId}, 'hash', 'secret', now())`,
    ],
    [
      'a passkey',
      (userId: string) =>
        sql`insert into passkey (company_id, id, user_id, credential_id, public_key, sign_count, transports, name, synced)
          values (company_id(), ${newId()}, ${userId}, 'credential', 'key', 0, '{}', 'Laptop', false)`,
    ],
  ])('of one’s own: a name, and %s', async (_, binding) => {
    const bind = (userId: string) => write(binding(userId));
    const { userId } = admin.session;
    const other = await member('administrator');
    await write(sql`update member set first_name = '大文' where company_id = company_id() and id = ${userId}`);
    await bind(userId);
    expect(await states()).toMatchObject({ name: 'done', secondFactor: 'done' });
    expect(await states(other)).toMatchObject({ name: 'open', secondFactor: 'open' });
  });

  test('of the company: a second administrator, invited and then there', async () => {
    const second = await member('administrator', false);
    expect(await states()).toMatchObject({ administrator: 'waiting' });
    const { userId } = second.session;
    await write(sql`update member set activated_at = now() where company_id = company_id() and id = ${userId}`);
    expect(await states()).toMatchObject({ administrator: 'done' });
    await write(sql`update member set disabled_at = now() where company_id = company_id() and id = ${userId}`);
    expect(await states()).toMatchObject({ administrator: 'open' });
  });

  test('of the company: an active rule, and review switched on', async () => {
    const ruleId = newId();
    await write(
      sql`insert into approval_rule (company_id, id, version, position) values (company_id(), ${ruleId}, 1, 1)`,
    );
    const version = (number: number, active: boolean) =>
      write(sql`insert into approval_rule_version (company_id, rule_id, version, name, lower, nodes, active, created_by, created_by_name)
        values (company_id(), ${ruleId}, ${number}, 'All', 0, '[]', ${active}, ${newId()}, 'Ada')`);
    await version(1, false);
    expect(await states()).toMatchObject({ rule: 'open', review: 'open' });
    await version(2, true);
    await write(sql`update approval_rule set version = 2 where company_id = company_id()`);
    await write(sql`insert into approval_setting (company_id, enabled) values (company_id(), true)`);
    expect(await states()).toMatchObject({ rule: 'done', review: 'done' });
    await write(sql`update approval_rule set deleted_at = now() where company_id = company_id()`);
    expect(await states()).toMatchObject({ rule: 'open' });
  });

  test('of the company: a payee, and a recharge that has been seen and then credited', async () => {
    await write(sql`insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, code, remark, created_by, created_by_name)
      values (company_id(), ${newId()}, 'Harbour', 'ethereum', 'USDT', '0x11', '11', 'none', '', ${newId()}, 'Ada')`);
    expect(await states()).toMatchObject({ payee: 'done', recharge: 'open' });
    await write(sql`update crypto_payee set deleted_at = now() where company_id = company_id()`);
    expect(await states()).toMatchObject({ payee: 'open' });
    await insertTestTransaction(db, company, { status: 'failed', stage: 'orphaned' });
    expect(await states()).toMatchObject({ recharge: 'open' });
    await insertTestTransaction(db, company, { status: 'pending', stage: 'confirming' });
    expect(await states()).toMatchObject({ recharge: 'waiting' });
    await insertTestTransaction(db, company);
    expect(await states()).toMatchObject({ recharge: 'done' });
  });
});

test('a member hides them on all devices, and can show them again', async () => {
  const other = await member('administrator');
  const path = '/web/home/first-steps';
  expect((await admin.put(path, { dismissed: true })).data.dismissed).toBe(true);
  expect((await admin.put(path, { dismissed: true })).status).toBe(200);
  expect((await admin.get(path)).data.dismissed).toBe(true);
  expect((await other.get(path)).data.dismissed).toBe(false);
  expect((await admin.put(path, { dismissed: false })).data.dismissed).toBe(false);
});
