import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Database } from '../../platform/database/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Session } from '../../platform/session.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { findContacts, nilCompany } from './index.ts';
import { insertChallenge, insertPasskey } from './store/passkeys.ts';
import { replaceRecoveryCodes } from './store/recovery-codes.ts';

let db: TestDatabase;
let app: TestIdentity;
let mine: Session;
let other: Session;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db);
  [mine, other] = await Promise.all([member(), member()]);
});
afterAll(async () => {
  await app.close();
  await db.close();
});

async function member(): Promise<Session> {
  const account = await app.signUp();
  const token = (await app.signIn(account, { skipVerification: true })).data.accessToken!;
  await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
  const session = await app.identity.authenticate(token, false);
  if (!session) throw new Error('not signed in');
  await db.app.withCompany(session.companyId, async (tx) => {
    await replaceRecoveryCodes(tx, session.userId, [randomBytes(32)]);
    await insertChallenge(tx, { userId: session.userId, purpose: 'add', ticketId: null }, randomBytes(32));
    await insertPasskey(tx, {
      id: newId(),
      userId: session.userId,
      name: 'Laptop',
      credentialId: randomBytes(32),
      publicKey: randomBytes(77),
      signCount: 0,
      transports: [],
      synced: false,
    });
  });
  return session;
}

const tenantTables = [
  'company',
  'member',
  'credential',
  'session',
  'sign_in_ticket',
  'trusted_browser',
  'code_guard',
  'verification_code',
  'recovery_code',
  'passkey',
  'passkey_challenge',
  'seen_device',
];

const count = (database: Database, companyId: string, table: string, where = sql`true`) =>
  database.withCompany(companyId, async (tx) => {
    const { rows } = await sql<{ n: number }>`
      select count(*) as n from ${sql.table(table)} where ${where}`.execute(tx);
    return rows[0]?.n ?? -1;
  });

describe('without any WHERE clause, a company sees of', () => {
  test.each(tenantTables)('%s its own rows alone', async (table) => {
    const notNil = sql`company_id <> ${nilCompany}::uuid`;
    expect(await count(db.app, mine.companyId, table, notNil)).toBeGreaterThan(0);
    expect(await count(db.app, mine.companyId, table, sql`company_id = ${other.companyId}::uuid`)).toBe(0);
    expect(await count(db.app, '01890000-0000-7000-8000-000000000000', table, notNil)).toBe(0);
  });
});

test('a company cannot write rows of another', async () => {
  const attempt = db.app.withCompany(mine.companyId, (tx) =>
    sql`insert into session (company_id, id, user_id, token_sha256, expires_at, ip, user_agent)
      values (${other.companyId}, gen_random_uuid(), ${other.userId}, '\\x00', now(), '', '')`.execute(tx),
  );
  await expect(attempt).rejects.toMatchObject({ code: '42501' });
  const changed = await db.app.withCompany(mine.companyId, (tx) =>
    sql`update member set disabled_at = now() where id = ${other.userId}`.execute(tx),
  );
  expect(changed.numAffectedRows).toBe(0n);
});

describe('rights in the database', () => {
  test.each([
    ['causeway_app', 'select from email_directory'],
    ['causeway_app', 'select from invitation'],
    ['causeway_app', 'delete from verification_code'],
    ['causeway_app', 'delete from session'],
    ['causeway_app', "update member set email = 'x@example.com'"],
    ['causeway_worker', 'select from credential'],
    ['causeway_worker', 'select token_sha256 from session'],
    ['causeway_worker', 'select code_mac from verification_code'],
    ['causeway_worker', 'select user_id from passkey_challenge'],
    ['causeway_worker', "select from identity_by_sessions(array['\\x00'::bytea], array[false])"],
    ['causeway_operator', 'select from credential'],
    ['causeway_operator', 'select from session'],
    ['causeway_operator', 'select from email_directory'],
  ])('%s may not: %s', async (role, statement) => {
    const database = { causeway_app: db.app, causeway_worker: db.worker, causeway_operator: db.operator }[role];
    const attempt = database?.withCompany(mine.companyId, (tx) => sql.raw(statement).execute(tx));
    await expect(attempt).rejects.toMatchObject({ code: '42501' });
  });

  test('the look-up role makes nothing and owns no table', async () => {
    const client = new (await import('pg')).default.Client({ connectionString: db.superuserUrl });
    await client.connect();
    const { rows } = await client.query(`
      select has_schema_privilege('causeway_lookup', 'causeway', 'create') as creates,
        (select count(*)::int from pg_class c join pg_roles r on r.oid = c.relowner where r.rolname = 'causeway_lookup') as tables,
        (select count(*)::int from pg_proc p join pg_roles r on r.oid = p.proowner
          where r.rolname = 'causeway_lookup' and p.proname like 'identity_%' and not p.prosecdef) as loose,
        (select array_agg(p.proname::text order by p.proname) from pg_proc p join pg_roles r on r.oid = p.proowner
          where r.rolname = 'causeway_lookup' and has_function_privilege('causeway_signer', p.oid, 'execute')) as signer`);
    await client.end();
    // The signer recomputes the ledger's balances before it signs a report of solvency.
    expect(rows[0]).toEqual({ creates: false, tables: 0, loose: 0, signer: ['solvency_balances'] });
  });
});

test('the worker finds a company’s people and their languages, and nobody else’s', async () => {
  const contacts = await db.worker.withCompany(mine.companyId, (tx) => findContacts(tx));
  expect(contacts).toEqual([{ userId: mine.userId, email: mine.userName, language: 'en_US' }]);
  expect(await db.worker.withCompany(mine.companyId, (tx) => findContacts(tx, other.userId))).toEqual([]);
});

test('what members do stands in the audit trail of their company, the operator’s acts in the platform’s', async () => {
  const actions = await db.app.withCompany(mine.companyId, async (tx) => {
    const { rows } = await sql<{ action: string }>`select action from audit_event order by id`.execute(tx);
    return rows.map(({ action }) => action);
  });
  expect(actions).toEqual(['identity.register', 'identity.signIn']);
  expect(await count(db.operator, nilCompany, 'audit_event', sql`action = 'identity.createInvitation'`)).toBe(2);
});
