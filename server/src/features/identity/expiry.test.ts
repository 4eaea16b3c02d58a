import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sweepBatch, sweepOnce, throttleSweep } from '../../platform/jobs/sweeping.ts';
import { createLog } from '../../platform/process/log.ts';
import { type TestDatabase, testDatabase } from '../../testing/database.ts';
import { type Account, type TestIdentity, testIdentity } from '../../testing/identity.ts';
import { identitySweeps } from './index.ts';
import { insertChallenge } from './store/passkeys.ts';

const log = createLog('test', 'silent');
let db: TestDatabase;
let app: TestIdentity;
let owner: pg.Client;
beforeAll(async () => {
  db = await testDatabase();
  app = await testIdentity(db);
  owner = new pg.Client({ connectionString: db.superuserUrl });
  await owner.connect();
});
afterAll(async () => {
  await owner.end();
  await app.close();
  await db.close();
});

const identityTables = [
  'session',
  'sign_in_ticket',
  'trusted_browser',
  'verification_code',
  'code_guard',
  'passkey_challenge',
];

const sweep = () => sweepOnce(db.worker, [throttleSweep, ...identitySweeps], log);

/** How many rows each table has, of all companies. */
async function counts(): Promise<Record<string, number>> {
  const tables = [...identityTables, 'throttle'];
  const found: Record<string, number> = {};
  for (const table of tables) {
    const { rows } = await owner.query(`select count(*)::int as n from causeway.${table}`);
    found[table] = rows[0].n;
  }
  return found;
}

/** As if everything so far had happened this much earlier. */
async function age(interval: string): Promise<void> {
  for (const [table, column] of [
    ['session', 'expires_at'],
    ['sign_in_ticket', 'expires_at'],
    ['trusted_browser', 'expires_at'],
    ['verification_code', 'expires_at'],
    ['passkey_challenge', 'expires_at'],
    ['code_guard', 'window_ends_at'],
    ['throttle', 'window_ends_at'],
  ]) {
    await owner.query(`update causeway.${table} set ${column} = ${column} - $1::interval`, [interval]);
  }
}

/** Signs in with everything that leaves a trace; returns the token. */
async function signInWithTraces(account: Account): Promise<string> {
  const token = (await app.signIn(account, { skipVerification: true })).data.accessToken!;
  await app.call({ path: '/common/user/send-code', token, body: { scenario: 'update_psd' } });
  const session = await app.identity.authenticate(token, false);
  if (!session) throw new Error('not signed in');
  await db.app.withCompany(session.companyId, (tx) =>
    insertChallenge(tx, { userId: session.userId, purpose: 'add', ticketId: null }, randomBytes(32)),
  );
  return token;
}

test('what still holds stays, what is over for a day goes, of every company', async () => {
  const accounts = [await app.signUp(), await app.signUp()];
  const tokens = await Promise.all(accounts.map(signInWithTraces));
  const before = await counts();
  for (const n of Object.values(before)) expect(n).toBeGreaterThan(0);
  await sweep();
  expect(await counts()).toEqual(before);

  // A trusted browser holds for 30 days, all else for a day at the longest.
  await age('2 days 1 hour');
  const fresh = await signInWithTraces(await app.signUp());
  const withFresh = await counts();
  await sweep();
  const left = await counts();
  expect(left['trusted_browser']).toBe(3);
  expect(left['session']).toBe(1);
  expect(left['sign_in_ticket']).toBe(1);
  expect(left['passkey_challenge']).toBe(1);
  expect(left['verification_code']).toBe((withFresh['verification_code'] ?? 0) - (before['verification_code'] ?? 0));
  expect(left['code_guard']).toBeLessThan(withFresh['code_guard'] ?? 0);
  expect(await app.identity.authenticate(fresh, false)).not.toBeNull();
  for (const token of tokens) expect(await app.identity.authenticate(token, false)).toBeNull();

  await age('40 days');
  await sweep();
  for (const n of Object.values(await counts())) expect(n).toBe(0);
});

test('the code that confirmed a transaction is kept as its proof', async () => {
  const account = await app.signUp();
  const token = await signInWithTraces(account);
  const session = await app.identity.authenticate(token, true);
  if (!session) throw new Error('not signed in');
  const insert = (scenario: string, usedAt: string) => sql`
    insert into verification_code (company_id, id, subject, scenario, method, expires_at, used_at)
    values (company_id(), gen_random_uuid(), ${session.userId}, ${scenario}, 'otp_auth',
      now() - interval '3 days', ${sql.raw(usedAt)})`;
  await db.app.withCompany(session.companyId, async (tx) => {
    await insert('transaction', 'now()').execute(tx);
    await insert('transaction', 'null').execute(tx);
    await insert('update_psd', 'now()').execute(tx);
  });
  await sweep();
  const { rows } = await owner.query(
    `select scenario, used_at is not null as used from causeway.verification_code
     where company_id = $1 and expires_at < now() - interval '2 days'`,
    [session.companyId],
  );
  expect(rows).toEqual([{ scenario: 'transaction', used: true }]);
});

test('many batches are gone through in one turn', async () => {
  await owner.query(
    `insert into causeway.throttle select 'old:' || n, 1, now() - interval '2 hours' from generate_series(1, $1) n`,
    [2 * sweepBatch + 1],
  );
  await sweep();
  const { rows } = await owner.query(`select count(*)::int as n from causeway.throttle where bucket like 'old:%'`);
  expect(rows[0].n).toBe(0);
});

test('the worker cannot end what still holds, not even inside its company, and reads no secret', async () => {
  const token = await signInWithTraces(await app.signUp());
  const session = await app.identity.authenticate(token, true);
  if (!session) throw new Error('not signed in');
  for (const table of identityTables) {
    const { numAffectedRows } = await db.worker.withCompany(session.companyId, (tx) =>
      sql`delete from ${sql.table(table)}`.execute(tx),
    );
    expect(numAffectedRows, table).toBe(0n);
  }
  expect(await app.identity.authenticate(token, false)).not.toBeNull();
  const secret = db.worker.withCompany(session.companyId, (tx) => sql`select token_sha256 from session`.execute(tx));
  await expect(secret).rejects.toThrow('permission denied');
});

test('a sweep that fails does not keep the others from theirs', async () => {
  await owner.query(`insert into causeway.throttle values ('old:last', 1, now() - interval '2 hours')`);
  const broken = { name: 'test.broken', run: () => Promise.reject(new Error('no')) };
  await sweepOnce(db.worker, [broken, throttleSweep], log);
  const { rows } = await owner.query(`select count(*)::int as n from causeway.throttle where bucket = 'old:last'`);
  expect(rows[0].n).toBe(0);
});
