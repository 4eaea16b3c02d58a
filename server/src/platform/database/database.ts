import type { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type DatabaseConnection,
  DefaultQueryExecutor,
  PostgresAdapter,
  PostgresQueryCompiler,
  type QueryExecutorProvider,
  type RawBuilder,
} from 'kysely';
import pg from 'pg';
import { invariant, RememberedError } from '../domain-error.ts';
import { CoalescingSocket } from './coalescing-socket.ts';
import { type BatchRole, issue, OneClientConnection } from './connection.ts';
import { isOutage } from './outage.ts';
import { parsedTypes } from './parsed-types.ts';
import { addressesOf, clientClassFor } from './primary.ts';
import { companyQueuedOf, type EnterQueued, mostRefusals } from './queue-refusal.ts';

/**
 * The database and its one way in: `withCompany`, `withoutCompany`. Statements are written as SQL with Kysely's `sql`
 * tag and run on a transaction, which is always a required argument.
 */

declare const companyBrand: unique symbol;
declare const companiesBrand: unique symbol;

/** A transaction of one company: its row-level security setting is made, other companies' rows do not exist for it. */
export type Tx = CompaniesTx & { readonly companyId: string; readonly [companyBrand]: true };

/**
 * A transaction of one company or of those of a batch: its statements name the company of each row, and `company_id()` is not for
 * them. Rows of companies that it was not begun for do not exist for it.
 */
export type CompaniesTx = PlatformTx & { readonly [companiesBrand]: true };

/** A transaction without a company: only tables and functions outside tenancy return rows. */
export type PlatformTx = QueryExecutorProvider & {
  /**
   * Queues statements to send with COMMIT; their errors surface there: if one fails,
   * the transaction is rolled back and its error is the transaction's.
   */
  leave(statements: readonly Promise<unknown>[]): void;
  /** Calls this once the transaction is committed; not at all where it is rolled back. */
  afterCommit(work: () => void): void;
};

export interface TransactionOptions<T = unknown> {
  /** Advisory locks, taken with BEGIN and held until the transaction ends; each number has one holder at a time. */
  locks?: readonly bigint[];
  /** A statement that ends the transaction, made from its result; travels with the commit, which fails if it does. */
  last?: (result: T) => RawBuilder<unknown> | null;
  /** Begins READ ONLY: PostgreSQL refuses writes and row locks. No further round trip. */
  readOnly?: boolean;
  /** Takes on the role `causeway_look` for its length, which reads the company's rows and no others (docs/adr/0069-…). */
  asLook?: boolean;
  /** Begins only when no rows of the company are queued (`refuseQueued`). No further round trip. */
  behindQueue?: boolean;
}

export interface Database {
  /**
   * Runs `work` in one transaction as the company. A deadlock, a serialization failure, or a connection that is lost
   * before COMMIT was sent runs it again (3 times at most), so `work` must have no effect but through `tx`. Any error
   * rolls back, but a `RememberedError` commits. A connection lost after COMMIT was sent is reported: the outcome is unknown.
   *
   * Statements run in the order in which they are issued. Those that do not need each other's results are best issued
   * together and awaited with `together`: they share a round trip. Each must then be the last of its branch.
   */
  withCompany<T>(companyId: string, work: (tx: Tx) => Promise<T>, options?: TransactionOptions<T>): Promise<T>;
  /**
   * The same for several companies at once, with the rights of the role `causeway_batch` (docs/adr/0063-…): what it writes is
   * committed together or not at all.
   */
  withCompanies<T>(
    companyIds: readonly string[],
    work: (tx: CompaniesTx) => Promise<T>,
    options?: Pick<TransactionOptions<T>, 'locks' | 'behindQueue'> & {
      /** Each wait for a lock fails after this with 55P03, lock_not_available, and queued rows with CW005 at once; absent: it waits. Milliseconds. */
      lockTimeoutMs?: number;
    },
  ): Promise<T>;
  withoutCompany<T>(work: (tx: PlatformTx) => Promise<T>): Promise<T>;
  /**
   * Enters the queued rows of a company for a transaction that was refused for them; it is then tried again. Without it, transactions wait until another
   * process has done so, ten seconds at most.
   */
  whenQueued(enter: EnterQueued): void;
  readonly pool: pg.Pool;
  close(): Promise<void>;
}

const uuidPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const retryable = new Set(['40001', '40P01']);
/** read_only_sql_transaction: the connection leads to a server that no longer is the primary. */
const readOnlyState = '25006';
/** A host that vanished without a word is noticed on an idle connection after this and ten probes, a second each. */
const keepAliveAfterMs = 10_000;
/** in_failed_sql_transaction: what every statement is answered after the one that failed. */
const alreadyAborted = '25P02';
const maxAttempts = 4;
const lostPauseMs = 25;
/** Of a process that cannot enter queued rows itself, until it tries again. */
const queuedPauseMs = 100;

export function openDatabase(url: string, options: { poolSize: number; applicationName: string }): Database {
  const pool = new pg.Pool({
    connectionString: addressesOf(url)[0],
    Client: clientClassFor(url),
    max: options.poolSize,
    application_name: options.applicationName,
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
    keepAliveInitialDelayMillis: keepAliveAfterMs,
    types: parsedTypes,
    pipeline: true,
    stream: () => new CoalescingSocket(),
  });
  // A connection that breaks while idle is replaced by the pool; the next query reports what matters.
  pool.on('error', () => undefined);
  pool.on('connect', (client) => client.on('error', () => undefined));
  discardReadOnlyConnections(pool);
  let enter: EnterQueued = () => delay(queuedPauseMs);
  const whenQueued: EnterQueued = (companyId) => enter(companyId);
  return {
    withCompany: (
      companyId,
      work,
      { locks = [], last, readOnly = false, asLook = false, behindQueue = false } = {},
    ) => {
      // One message; only a checked UUID and numbers are written into it.
      const role = asLook ? 'set local role causeway_look; ' : '';
      const company = checked(companyId);
      const queue = behindQueue ? `; select refuse_queued('{${company}}')` : '';
      const begin = `begin${readOnly ? ' read only' : ''}; ${role}${setting('company_id', company)}${locking(locks)}${queue}`;
      const beginning = { begin, whenQueued, ...(asLook && { role: 'look' as const }) };
      const done = transact(pool, beginning, (tx) => work(Object.assign(tx, { companyId }) as unknown as Tx), last);
      return readOnly ? done.catch(refuseWriteInRead) : done;
    },
    withCompanies: (companyIds, work, { locks = [], lockTimeoutMs = 0, behindQueue = false } = {}) => {
      invariant(companyIds.length > 0, 'a batch has a company');
      const companies = `{${[...new Set(companyIds)].map(checked).join()}}`;
      const opening = {
        name: behindQueue ? 'batch behind queue' : 'batch',
        text: behindQueue ? `${openingBatch}, refuse_queued($1::uuid[])` : openingBatch,
        values: [companies, ascending(locks), String(lockTimeoutMs)],
      };
      // Where no lock is waited for long, entering is not either.
      const beginning = {
        ...{ begin: 'begin', opening, role: 'batch' as const },
        whenQueued: lockTimeoutMs > 0 ? null : whenQueued,
      };
      return transact(pool, beginning, (tx) => work(tx as CompaniesTx));
    },
    withoutCompany: (work) => transact(pool, { begin: 'begin', whenQueued }, work),
    whenQueued(work) {
      enter = work;
    },
    pool,
    close: () => pool.end(),
  };
}

/**
 * Statements over sets keep one plan, which finds rows by their keys. Planned for a few values it looks dearer than planning each
 * time; made while a table is small, it would read the whole table until that is analyzed again; and for a table of which each company
 * had few rows, all rows that the fence lets through, whatever keys are asked for.
 */
const plansOfSets = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  enable_bitmapscan: 'off',
  enable_hashjoin: 'off',
  enable_mergejoin: 'off',
};

/** Settings and locks of a batch in one statement that is prepared once; the settings end with the transaction. */
const openingBatch = `select set_config('role', 'causeway_batch', true), set_config('causeway.company_ids', $1, true), set_config('lock_timeout', $3, true), ${Object.entries(
  plansOfSets,
)
  .map(([name, value]) => `set_config('${name}', '${value}', true)`)
  .join(', ')}, (select count(pg_advisory_xact_lock(lock)) from unnest($2::bigint[]) as lock)`;

function checked(companyId: string): string {
  invariant(uuidPattern.test(companyId), 'a company id is a UUID');
  return companyId;
}

function setting(name: string, value: string): string {
  return `select set_config('causeway.${name}', '${value}', true)`;
}

/** Every transaction locks in ascending order, so that two of them cannot wait for each other. */
function locking(locks: readonly bigint[]): string {
  return locks.length === 0
    ? ''
    : `; select pg_advisory_xact_lock(lock) from unnest('${ascending(locks)}'::bigint[]) as lock`;
}

/** As an array of the database. */
function ascending(locks: readonly bigint[]): string {
  const numbers = new Set(locks.map((lock) => BigInt.asIntN(64, lock)));
  return `{${[...numbers].sort((a, b) => (a < b ? -1 : Number(a > b))).join()}}`;
}

/**
 * Closes a connection that returned 25006 when it comes back to the pool: after a failover it would stay
 * on the old primary for ever.
 */
function discardReadOnlyConnections(pool: pg.Pool): void {
  const discarded = new WeakSet<pg.PoolClient>();
  pool.on('connect', (client) => {
    // `pg` keeps the protocol's own events on this property, which its types leave out.
    const { connection } = client as pg.PoolClient & { connection: EventEmitter };
    connection.on('errorMessage', ({ code }: { code?: string }) => {
      if (code === readOnlyState) discarded.add(client);
    });
  });
  // Emitted before pg-pool looks whether the client can be used again.
  pool.on('release', (_error, client) => {
    if (discarded.has(client)) void client.end();
  });
}

/**
 * Waits for statements that share a round trip. When one fails, PostgreSQL refuses all that follow it. Rejects with the
 * first statement that failed, not with the first rejection that arrives.
 */
export async function together<const T extends readonly Promise<unknown>[]>(
  statements: T,
): Promise<{ -readonly [I in keyof T]: Awaited<T[I]> }> {
  const outcomes = await Promise.allSettled(statements);
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  const first = failed.find(({ reason }) => databaseError(reason)?.state !== alreadyAborted) ?? failed[0];
  if (first) throw first.reason;
  return outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : undefined)) as {
    -readonly [I in keyof T]: Awaited<T[I]>;
  };
}

interface Beginning {
  begin: string;
  /** Null: the transaction is not tried again. */
  whenQueued: EnterQueued | null;
  /** A prepared statement that follows at once. */
  opening?: { name: string; text: string; values: unknown[] };
  role?: BatchRole;
}

async function transact<T>(
  pool: pg.Pool,
  beginning: Beginning,
  work: (tx: PlatformTx) => Promise<T>,
  last?: (result: T) => RawBuilder<unknown> | null,
): Promise<T> {
  let queued = 0;
  for (let attempt = 1; ; attempt++) {
    const client = await pool.connect();
    const connection = new OneClientConnection(client, beginning.role);
    const left: Promise<unknown>[] = [];
    const afterwards: (() => void)[] = [];
    const tx = transactionOn(connection, left, afterwards);
    let companyQueued: string | null = null;
    let broken: Error | undefined;
    let isCommitting = false;
    try {
      const result = await begun(client, beginning, () => work(tx)).catch((error: unknown) => blame(left, error));
      const statement = last?.(result)?.compile(tx);
      isCommitting = true;
      // Issued in this order, at once. If a statement fails, PostgreSQL rolls back at the commit, and its error is thrown.
      await together([...left, statement ? issue(client, statement) : Promise.resolve(), commit(client)]);
      for (const work of afterwards) work();
      return result;
    } catch (error) {
      if (error instanceof RememberedError) {
        await commit(client);
        throw error;
      }
      broken = await rollback(client);
      companyQueued = beginning.whenQueued && companyQueuedOf(error);
      if (companyQueued !== null && queued < mostRefusals) {
        queued += 1;
        attempt -= 1;
        continue;
      }
      const isLost = !isCommitting && isOutage(error);
      if (attempt < maxAttempts && (isLost || isRetryable(error))) {
        // The pool hears of its other connections' end in a later turn.
        if (isLost) await delay(attempt * lostPauseMs);
        continue;
      }
      throw error;
    } finally {
      connection.end();
      client.release(broken);
      // With the connection back in the pool, which what enters the rows may need.
      if (companyQueued !== null) await beginning.whenQueued?.(companyQueued);
    }
  }
}

/** A write in a transaction that began READ ONLY is our mistake, not a server that stopped being the primary. */
function refuseWriteInRead(error: unknown): never {
  const { state, message } = databaseError(error) ?? {};
  if (state === readOnlyState) throw new Error(`Invariant broken: a read-only use case writes: ${message}`);
  throw error;
}

/** A deferred statement may be the real cause of an error: it is reported first. */
async function blame(left: readonly Promise<unknown>[], error: unknown): Promise<never> {
  await together([...left, Promise.reject(error)]);
  throw error;
}

/** PostgreSQL turns a commit of an aborted transaction into a rollback without an error: that must never pass for success. */
async function commit(client: pg.PoolClient): Promise<void> {
  const { command } = await client.query('commit');
  if (command !== 'COMMIT') throw new NotCommitted();
}

/** A statement failed, its error was swallowed, and the transaction came to nothing. */
class NotCommitted extends Error {
  constructor() {
    super('The transaction was rolled back at its commit: an earlier statement had failed');
  }
}

/**
 * Begins and works without waiting in between: the beginning travels with the first statement. Should it fail, that
 * statement fails too, since the transaction is then aborted; the beginning's error is the one to be told.
 */
async function begun<T>(client: pg.PoolClient, { begin, opening }: Beginning, work: () => Promise<T>): Promise<T> {
  const beginning = [client.query(begin), ...(opening ? [client.query(opening)] : [])];
  const [began, worked] = await Promise.allSettled([together(beginning), work()]);
  if (began.status === 'rejected') throw began.reason;
  if (worked.status === 'rejected') throw worked.reason;
  return worked.value;
}

async function rollback(client: pg.PoolClient): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error));
  }
}

export function isRetryable(error: unknown): boolean {
  return error instanceof pg.DatabaseError && retryable.has(error.code ?? '');
}

/** The SQLSTATE of a database error, the constraint it names; null for other errors. */
export function databaseError(
  error: unknown,
): { state: string; constraint: string | undefined; message: string } | null {
  if (!(error instanceof pg.DatabaseError) || error.code === undefined) return null;
  return { state: error.code, constraint: error.constraint, message: error.message };
}

const compiler = new PostgresQueryCompiler();
const adapter = new PostgresAdapter();

/**
 * Kysely's executor on the one connection, which is there already: a statement is issued in the moment in which it is
 * executed, so that what is issued later (the commit) comes later.
 */
function transactionOn(
  connection: DatabaseConnection,
  left: Promise<unknown>[],
  afterwards: (() => void)[],
): PlatformTx {
  const executor = new DefaultQueryExecutor(compiler, adapter, {
    provideConnection: (consumer) => consumer(connection),
  });
  return {
    getExecutor: () => executor,
    leave(statements) {
      // Told at the commit, or not at all when the transaction fails of something else before it.
      for (const statement of statements) statement.catch(() => undefined);
      left.push(...statements);
    },
    afterCommit(work) {
      afterwards.push(work);
    },
  };
}
