import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../../../testing/database.ts';
import { enact, forbidding, listAddress, riskManager, riskSubject } from '../../../testing/risk.ts';
import { assess, forget } from '../service/assess.ts';
import { explain } from '../service/explain.ts';
import { openJudging } from '../service/judging.ts';
import { listEntries, listLogs } from '../service/lists.ts';
import { listHits } from '../service/policies.ts';
import { findFlows } from './flows.ts';
import { lockRisk } from './judging.ts';

let db: TestDatabase;
const companyId = newId();
let policyId: string;
let listed: string;
beforeAll(async () => {
  db = await testDatabase();
  policyId = await enact(db, companyId, forbidding({ dimension: 'coin', coins: ['HKDT'] }));
  listed = riskSubject().account;
  await listAddress(db, companyId, listed, [1e6, 1e6, 1e6]);
  await db.app.withCompany(companyId, (tx) => assess(tx, riskSubject({ coin: 'HKDT' }), 'submission'));
  await fill();
});
afterAll(() => db.close());

/** Rows enough, of this company and of others, that reading a whole table would be the dearer plan. */
async function fill(): Promise<void> {
  const admin = new pg.Client({ connectionString: db.superuserUrl });
  await admin.connect();
  await fillRisk(admin, companyId);
  await admin.query('analyze');
  await admin.end();
}

async function fillRisk(admin: pg.Client, companyId: string): Promise<void> {
  await admin.query('set search_path = causeway');
  const companies = `case when i % 2 = 0 then '${companyId}'::uuid else md5((i % 40)::text)::uuid end`;
  await admin.query(`insert into risk_flow (company_id, transaction_id, at, day, business, coin, account_kind, account, quantity,
      decimals, value_cents, initiator_id)
    select ${companies}, gen_random_uuid(), now() - i * interval '5 minutes', current_date, 'crypto_withdrawal', 'USDT',
      'crypto_address', i::text, 1, 6, 1, gen_random_uuid() from generate_series(1, 30000) i`);
  await admin.query(`insert into risk_usage (company_id, business, day, asset, transactions, quantity, value_cents)
    select c, 'crypto_withdrawal', current_date - d, a, 1, 1, 1
    from (select '${companyId}'::uuid as c union select md5(i::text)::uuid from generate_series(1, 30) i) companies,
      generate_series(1, 365) d, unnest(array['USDT', 'USDC', 'ETH']) a`);
  await admin.query(`insert into risk_list_entry (company_id, id, kind, payee_type, account, account_key, created_by_name)
    select ${companies}, gen_random_uuid(), 'black', 'crypto_address', 'A' || i, 'A' || i, '' from generate_series(1, 20000) i`);
  await admin.query(`insert into risk_assessment (company_id, id, transaction_id, at, moment, allowed, ruleset_version, inputs)
    select ${companies}, gen_random_uuid(), gen_random_uuid(), now(), 'submission', true, 1, '{}' from generate_series(1, 20000) i`);
  await admin.query(`insert into risk_log (company_id, id, at, subject_kind, subject_id, list_kind, type, action, actor_name)
    select ${companies}, gen_random_uuid(), now() - i * interval '1 minute', 'entry', gen_random_uuid(), 'black', 'change', 'added', ''
    from generate_series(1, 20000) i`);
}

interface Accounts {
  white: string;
  black: string;
}

/** How many rows of each of our tables a connection has read and not yet reported, by whatever plan. */
async function rowsRead(tx: CompaniesTx): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; read: number }>`
    select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
    where relname like 'risk_%'`.execute(tx);
  return new Map(rows.map(({ name, read }) => [name, read]));
}

/** From which tables some work read more rows than it may want. */
function readTooMuch(work: (tx: Tx) => Promise<unknown>, most: number): Promise<Record<string, number>> {
  return db.app.withCompany(companyId, (tx) => readBy(tx, work, most));
}

async function readBy<T extends CompaniesTx>(
  tx: T,
  work: (tx: T) => Promise<unknown>,
  most: number,
): Promise<Record<string, number>> {
  const before = await rowsRead(tx);
  await work(tx);
  const after = await rowsRead(tx);
  const read = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
  return Object.fromEntries(read.filter(([, count]) => count > most));
}

test.each<[string, (tx: Tx) => Promise<unknown>]>([
  ['a verdict that lets pass', (tx) => assess(tx, riskSubject({ account: listed }), 'submission')],
  ['a verdict that stops', (tx) => assess(tx, riskSubject({ coin: 'HKDT' }), 'submission')],
  ['a later verdict', (tx) => assess(tx, riskSubject(), 'handover')],
  ['giving a count back', (tx) => forget(tx, newId())],
  ['an explanation', (tx) => explain(tx, newId(), 'en-us')],
  ["a policy's intercepts", (tx) => listHits(tx, { locale: 'en-us' }, { id: policyId })],
  ['a part of a replay', (tx) => findFlows(tx, new Date(Date.now() - 86_400_000), null, 100)],
  ['a page of a list', (tx) => listEntries(tx, riskManager(companyId), { kind: 'white' })],
])('%s reads the rows it needs, however many there are', async (_, work) => {
  // PostgreSQL plans each statement a few times before it keeps a plan: both kinds must be good.
  for (let i = 0; i < 8; i++) {
    const read = await readTooMuch(work, 200);
    expect(read).toEqual({});
  }
});

test('a page of the log looks no further than its company', async () => {
  const read = await readTooMuch((tx) => listLogs(tx, { locale: 'en-us' }, { type: 'hit' }), 25_000);
  expect(read).toEqual({});
});

describe('a batch', () => {
  /** Judges several of three companies: let pass, counted against an entry, stopped by a policy and by an entry. */
  async function judgeBatch(tx: CompaniesTx, companyIds: readonly string[], accounts: Accounts): Promise<void> {
    const subjects = companyIds.flatMap((companyId) =>
      [
        riskSubject({ account: accounts.white }),
        riskSubject({ account: accounts.white }),
        riskSubject({ coin: 'HKDT' }),
        riskSubject({ account: accounts.black }),
      ].map((subject) => ({ companyId, ...subject })),
    );
    const [, judging] = await together([lockRisk(tx, companyIds), openJudging(tx, subjects, 'submission')]);
    const reasons = subjects.map((subject) => {
      const weighed = judging.weigh(subject);
      judging.note(weighed);
      return weighed.verdict.reason;
    });
    expect(reasons).toEqual(companyIds.flatMap(() => [null, null, 'policy', 'blacklisted']));
    await together([...judging.write(tx)]);
  }

  test('reads the rows it needs, also when the tables were analysed while they were empty', async () => {
    const fresh = await testDatabase();
    const admin = new pg.Client({ connectionString: fresh.superuserUrl });
    await admin.connect();
    // What the planner knows is that every table is empty; autovacuum may not correct it.
    const { rows } = await admin.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c where relnamespace = 'causeway'::regnamespace and relkind = 'r'
        and (relname like 'risk%' or relname = 'company_setting')`,
    );
    for (const { name } of rows) await admin.query(`alter table ${name} set (autovacuum_enabled = false)`);
    await admin.query('analyze');
    const companyIds = Array.from({ length: 3 }, () => newId());
    const accounts = { white: riskSubject().account, black: riskSubject().account };
    for (const id of companyIds) {
      await enact(fresh, id, forbidding({ dimension: 'coin', coins: ['HKDT'] }));
      await listAddress(fresh, id, accounts.white, [1e6, 1e6, 1e6]);
      await listAddress(fresh, id, accounts.black, null);
    }
    const judge = (tx: CompaniesTx) => judgeBatch(tx, companyIds, accounts);
    const batch = (work: (tx: CompaniesTx) => Promise<void>) => fresh.app.withCompanies(companyIds, work);
    await fillRisk(admin, companyIds[0] ?? '');
    for (let i = 0; i < 8; i++) {
      await batch(async (tx) => expect(await readBy(tx, judge, 600)).toEqual({}));
    }
    await admin.end();
    await fresh.close();
  });
});
