import type { Locale } from '@causeway/contract/locale.ts';
import { sql } from 'kysely';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { logList, taskList } from '../features/approvals/store/lists.ts';
import { noticeList } from '../features/notices/store/reading.ts';
import { outputList } from '../features/operator/treasury/outputs-store.ts';
import { payeeList } from '../features/payees/store.ts';
import { entryList } from '../features/risk/store/lists.ts';
import { entryLogList } from '../features/risk/store/log.ts';
import { eventList } from '../platform/audit/search.ts';
import type { Tx } from '../platform/database/database.ts';
import { readRows } from '../platform/database/list.ts';
import { newId } from '../platform/ids.ts';
import { type TestDatabase, testDatabase } from '../testing/database.ts';

let db: TestDatabase;
const companyId = newId();
const userId = '00000000-0000-7000-8000-000000000001';
const size = 20;
/** Rows of the page, of its joins and of a plan's look past the end of an index range. */
const mostRead = 120;

beforeAll(async () => {
  db = await testDatabase();
  const admin = new pg.Client({ connectionString: db.superuserUrl });
  await admin.connect();
  try {
    await fill(admin);
  } finally {
    await admin.end();
  }
}, 60_000);
afterAll(() => db.close());

/** Rows enough, of this company and of others, that reading a whole table would be the dearer plan. */
async function fill(admin: pg.Client): Promise<void> {
  await admin.query('set search_path = causeway');
  const company = `case when i % 2 = 0 then '${companyId}'::uuid else md5((i % 40)::text)::uuid end`;
  const many = 'from generate_series(1, 20000) i';
  const ago = "now() - i * interval '1 minute'";
  // Ids that grow with time, as those of the product do.
  const id = "(lpad(to_hex(i), 8, '0') || '-0000-7000-8000-000000000009')::uuid";
  await admin.query(`insert into crypto_payee (company_id, id, label, chain_id, coin, address, likeness, created_by, created_by_name, created_at)
    select ${company}, ${id}, 'P' || i, 'ethereum', 'USDT', 'A' || i, 'abcdefgh', ${id}, '', ${ago} ${many}`);
  await admin.query(`insert into notice (company_id, id, kind, source_id, "values", search)
    select ${company}, ${id}, 'sample', ${id}, '{}', '{"en-us": "word"}' ${many}`);
  await admin.query(
    `insert into announcement (id, texts) select gen_random_uuid(), '{}' from generate_series(1, 2000)`,
  );
  await admin.query(`insert into approval_task (company_id, id, kind, subject_id, digest, content, initiator_id, initiator_name,
      applicant, nodes, started_at, expires_at, remind_at, parties, search, adoptable, changes_controls)
    select ${company}, ${id}, 'rule_change', ${id}, '', '{}', '${userId}', '', '', '[]', ${ago}, now(), now(),
      array[]::uuid[], '', false, true ${many}`);
  await admin.query(
    `insert into approval_log (company_id, id, at, action, detail) select ${company}, ${id}, ${ago}, 'a', '{}' ${many}`,
  );
  await admin.query(`insert into risk_list_entry (company_id, id, kind, payee_type, account, account_key, created_by_name, created_at)
    select ${company}, ${id}, 'black', 'crypto_address', 'A' || i, 'A' || i, '', ${ago} ${many}`);
  await admin.query(`insert into risk_log (company_id, id, at, subject_kind, subject_id, list_kind, type, action, actor_name)
    select ${company}, ${id}, ${ago}, 'entry', ${id}, 'black', 'change', 'added', '' ${many}`);
  await admin.query(`insert into audit_event (company_id, id, at, actor_kind, actor_id, action, subject_kind, subject_id)
    select ${company}, ${id}, ${ago}, 'system', '', 'sample.act', 'sample', i::text ${many}`);
  await admin.query(`insert into bitcoin_output (company_id, chain_id, hash, index, address, amount, is_change, block_number, block_hash, seen_at)
    select ${company}, 'ethereum', lpad(to_hex(i), 64, '0'), 0, 'A' || i, i, false, i, 'B', ${ago} ${many}`);
  await admin.query('analyze');
}

/** Rows read of each table by this connection and not yet reported, by whatever plan. */
async function rowsRead(tx: Tx): Promise<Map<string, number>> {
  const { rows } = await sql<{ name: string; read: number }>`
    select relname as name, seq_tup_read + coalesce(idx_tup_fetch, 0) as read from pg_stat_xact_user_tables
    where schemaname = 'causeway'`.execute(tx);
  return new Map(rows.map(({ name, read }) => [name, read]));
}

type Read = (tx: Tx, cursor: { cursor?: string }) => Promise<{ items: unknown[]; next: string | null }>;
const reader = {
  id: userId,
  roleId: userId,
  permissions: [],
  quotaCents: null,
  mayDecide: false,
  managesRules: true,
  changes: [],
  inactive: [],
  seats: [],
};
const locale: Locale = 'en-us';
const named = { actions: [], actors: [] };
const today = '2026-11-21';
const outputs = { companyId, chainId: 'ethereum' };

test.each<[string, Read]>([
  ['payees', (tx, cursor) => readRows(tx, payeeList, cursor, { usableOn: [] }, size)],
  [
    'usable payees',
    (tx, cursor) => readRows(tx, payeeList, { status: 'usable', ...cursor }, { usableOn: ['ethereum USDT'] }, size),
  ],
  ['notices', (tx, cursor) => readRows(tx, noticeList, cursor, { userId, locale }, size)],
  ['approvals', (tx, cursor) => readRows(tx, taskList, { view: 'all', ...cursor }, reader, size)],
  [
    'initiated approvals',
    (tx, cursor) => readRows(tx, taskList, { view: 'initiated', order: 'asc', ...cursor }, reader, size),
  ],
  ['the log of rules', (tx, cursor) => readRows(tx, logList, cursor, undefined, size)],
  ['entries of a list', (tx, cursor) => readRows(tx, entryList, { kind: 'black', ...cursor }, { today }, size)],
  ['the log of lists', (tx, cursor) => readRows(tx, entryLogList, cursor, undefined, size)],
  ['unspent outputs', (tx, cursor) => readRows(tx, outputList, { ...outputs, ...cursor }, undefined, size)],
  [
    'the greatest outputs that can be spent',
    (tx, cursor) =>
      readRows(
        tx,
        outputList,
        { ...outputs, state: 'confirmed', sort: 'amount', order: 'desc', ...cursor },
        undefined,
        size,
      ),
  ],
  ['the audit log', (tx, cursor) => readRows(tx, eventList, cursor, named, size)],
  [
    'an action in the audit log',
    (tx, cursor) => readRows(tx, eventList, { action: 'sample.act', ...cursor }, named, size),
  ],
])('a page of %s reads its rows, however many there are', async (_, read) => {
  // The second page too: the cursor has to be a bound of the index and not a filter.
  let cursor = {};
  for (let page = 0; page < 3; page++) {
    await db.app.withCompany(companyId, async (tx) => {
      const before = await rowsRead(tx);
      const { items, next } = await read(tx, cursor);
      const after = await rowsRead(tx);
      const read_ = [...after].map(([name, count]) => [name, count - (before.get(name) ?? 0)] as const);
      expect(items).toHaveLength(size);
      expect(Object.fromEntries(read_.filter(([, count]) => count > mostRead))).toEqual({});
      cursor = next === null ? {} : { cursor: next };
    });
  }
});
