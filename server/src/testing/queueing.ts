import { submitBatch } from '@causeway/contract/batch-runs.ts';
import pg from 'pg';
import { expect } from 'vitest';
import type { Database } from '../platform/database/database.ts';
import { runRequest } from './batches.ts';
import type { TestDatabase } from './database.ts';
import type { MainApp, Member } from './main-app.ts';
import { present } from './present.ts';
import { succeed } from './succeed.ts';

/** Runs that are kept in the queue for as long as a test likes, and what is there of them. */

/** At the door of a table: what a company inserts waits there, or is refused. */
export interface Gate {
  /** From now on what the company inserts waits. */
  hold(companyId: string): Promise<void>;
  /** What waits goes on. */
  release(companyId: string): Promise<void>;
  /** From now on what the company inserts fails. */
  refuse(companyId: string): Promise<void>;
  admit(companyId: string): Promise<void>;
  /** Resolves when so many statements with these words wait for a lock. */
  untilWaiting(words: string, count?: number): Promise<void>;
  /** As the superuser. */
  query<T>(statement: string, values?: readonly unknown[]): Promise<T[]>;
  close(): Promise<void>;
}

/** `table`: `risk_assessment` is the first that is inserted when rows are entered, `payout_batch_entry` the last; `payout_batch_queue` when they are queued. */
export async function gateAt(
  db: Pick<TestDatabase, 'superuserUrl'>,
  table: 'risk_assessment' | 'payout_batch_entry' | 'payout_batch_queue',
): Promise<Gate> {
  const owner = new pg.Client({ connectionString: db.superuserUrl });
  // Which looks on while the other one is in a transaction or waits itself.
  const watcher = new pg.Client({ connectionString: db.superuserUrl });
  await Promise.all([owner.connect(), watcher.connect()]);
  await owner.query(`
    set search_path = causeway;
    create table if not exists test_refused (company_id uuid primary key);
    grant select on test_refused to public;
    create function test_gate_${table}() returns trigger language plpgsql as $$ begin
      perform pg_advisory_xact_lock_shared(hashtextextended('gate of ${table} ' || new.company_id, 0));
      if exists (select from causeway.test_refused where company_id = new.company_id) then
        raise exception 'refused by the test';
      end if;
      return new;
    end $$;
    create trigger test_gate before insert on ${table} for each row execute function test_gate_${table}()`);
  const query = async <T>(statement: string, values: readonly unknown[] = []) =>
    (await owner.query(statement, [...values])).rows as T[];
  const lock = `(hashtextextended('gate of ${table} ' || $1::uuid, 0))`;
  return {
    query,
    hold: async (companyId) => void (await query(`select pg_advisory_lock${lock}`, [companyId])),
    release: async (companyId) => void (await query(`select pg_advisory_unlock${lock}`, [companyId])),
    refuse: async (companyId) => void (await query('insert into test_refused values ($1)', [companyId])),
    admit: async (companyId) => void (await query('delete from test_refused where company_id = $1', [companyId])),
    async untilWaiting(words, count = 1) {
      const waiting = () =>
        watcher.query(
          `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
          [`%${words}%`],
        );
      await expect.poll(async () => (await waiting()).rows.length, { timeout: 20_000 }).toBeGreaterThanOrEqual(count);
    },
    close: async () => void (await Promise.all([owner.end(), watcher.end()])),
  };
}

/** A database of which a test sees what is refused for queued rows. */
export interface WatchedDatabase extends TestDatabase {
  /** Resolves when so many more transactions were refused, and wait for the rows to be entered. */
  refused(count?: number): Promise<void>;
}

export function watched(db: TestDatabase): WatchedDatabase {
  let refusals = 0;
  const listeners = new Set<() => void>();
  const app: Database = {
    ...db.app,
    whenQueued: (enter) =>
      db.app.whenQueued((companyId) => {
        refusals += 1;
        for (const listener of listeners) listener();
        return enter(companyId);
      }),
  };
  return {
    ...db,
    app,
    refused(count = 1) {
      const until = refusals + count;
      return new Promise((resolve) => {
        const listener = () => {
          if (refusals < until) return;
          listeners.delete(listener);
          resolve();
        };
        listeners.add(listener);
      });
    },
  };
}

/** Resolves with what is asked for, when it was seen to wait until the gate was opened. */
export async function waitsFor<T>(
  db: WatchedDatabase,
  gate: Gate,
  companyId: string,
  ask: () => Promise<T>,
): Promise<T> {
  const refused = db.refused();
  const asked = ask();
  const first = await Promise.race([asked.then(() => 'answered'), refused.then(() => 'refused')]);
  expect(first).toBe('refused');
  await gate.release(companyId);
  return asked;
}

/** Submits a batch whose rows stay in the queue while the gate is closed. @returns the run's id */
export async function queuedRun(world: MainApp, gate: Gate, as: Member, batchId: string): Promise<string> {
  const request = await runRequest(world, as, batchId);
  await gate.hold(as.session.companyId);
  return (await succeed(world, submitBatch, request)).data.id;
}

/** What is there of the company's runs. */
export interface Kept {
  runs: number;
  parts: number;
  entries: number;
  payments: number;
  seals: number;
  /** Postings by their kind. */
  postings: Record<string, number>;
}

export async function keptOf({ query }: Pick<Gate, 'query'>, companyId: string): Promise<Kept> {
  const count = (table: string, also = '') => `(select count(*)::integer from ${table} where company_id = $1 ${also})`;
  const rows = await query<Kept>(
    `select ${count('payout_batch_run')} as runs, ${count('payout_batch_queue')} as parts, ${count('payout_batch_entry')} as entries,
      ${count('transaction', `and type in ('chain_withdraw', 'fiat_payout')`)} as payments, ${count('outgoing_authorisation')} as seals,
      (select coalesce(jsonb_object_agg(kind, number), '{}') from (
        select kind, count(*) as number from ledger_posting where company_id = $1 and kind in
          ('batch.reserve', 'batch.release', 'transfer.reserve', 'transfer.release') group by kind) p) as postings`,
    [companyId],
  );
  return present(rows[0]);
}

/** All rows entered, once; what was held for all of them is given back. */
export function entered(rows: number, parts = 0): Kept {
  const postings = { 'batch.reserve': 1, 'batch.release': 1, 'transfer.reserve': rows };
  return { runs: 1, parts, entries: rows, payments: rows, seals: rows, postings };
}

/** Held, and none entered. */
export function queuedOnly(parts: number): Kept {
  return { runs: 1, parts, entries: 0, payments: 0, seals: 0, postings: { 'batch.reserve': 1 } };
}

/** What differs between two companies that did the same: ids, times, addresses, seals and what is counted for all companies together. */
const differing: readonly [RegExp, string][] = [
  [/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi, 'id'],
  [/\b[0-9A-F]{32}\b/g, 'id'],
  [/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d[.\d]*(\+00:00|Z)?/g, 'time'],
  [/0x[0-9a-f]{40}/gi, 'address'],
  [/\\\\x[0-9a-f]*/g, 'bytes'],
  [/\b[0-9a-f]{64}\b/g, 'hash'],
  [/(?<!\d)(004)?[12]0{4}\d{4}(?!\d)|SUPPIIES\w+|RF\d{11}/g, 'account'],
  [/"likeness":"[0-9a-f]{8}"|"(derivation_index|slot)":\d+/g, 'likeness'],
  [/Payroll [0-9a-f]{4}|\b10(\.\d+){3}\b|p[0-9a-f]{16}@|\$argon2id[^"]+/gi, 'name'],
];

/** All rows that the database has of a company but those of its ledger, by table, without what differs between two companies that did the same. */
export async function traceOf({ query }: Pick<Gate, 'query'>, companyId: string): Promise<Record<string, string[]>> {
  const tables = await query<{ name: string }>(`
    select c.relname as name from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'company_id'
    where c.relnamespace = 'causeway'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname not like 'ledger%'`);
  const trace: Record<string, string[]> = {};
  for (const { name } of tables) {
    const rows = await query<{ row: Record<string, unknown> }>(
      `select to_jsonb(t) as row from ${name} t where company_id = $1`,
      [companyId],
    );
    trace[name] = rows.map(({ row }) => withoutOwn(row)).toSorted();
  }
  return trace;
}

function withoutOwn(row: Record<string, unknown>): string {
  const opened = JSON.stringify(row).replaceAll(/"eyJ[\w-]+\.([\w-]+)\.[\w-]+"/g, (_, claims: string) =>
    Buffer.from(claims, 'base64url').toString(),
  );
  return differing.reduce((text, [found, name]) => text.replaceAll(found, name), opened);
}
