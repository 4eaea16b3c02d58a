import { createHash } from 'node:crypto';
import { type CompiledQuery, type DatabaseConnection, type QueryResult, type RawBuilder, sql } from 'kysely';
import type pg from 'pg';
import { invariant } from '../domain-error.ts';
import { arrayLiteral } from './array-literal.ts';

/** Statements on one connection, each prepared under a name of its own. */

/** Whose rights a statement is planned for, where they are not the connection's own. */
export type BatchRole = 'batch' | 'look';

/** Statements are prepared by name, so that PostgreSQL parses and plans each shape once a connection. */
const namesByText = new Map<string, string>();
const maxNames = 5000;
/** The names that each connection has prepared, of which it keeps a limited number. */
const preparedOn = new WeakMap<pg.PoolClient, Set<string>>();
const maxPrepared = 500;

const planMark = '/* plan each time */';

/**
 * Begins a statement that is to be planned for its values each time it runs: one whose conditions vary with what was asked
 * for. It takes no prepared name, of which there is a limited number.
 */
export const planEachTime: RawBuilder<unknown> = sql.raw(planMark);

function preparedName(client: pg.PoolClient, sql: string): string | undefined {
  if (sql.startsWith(planMark)) return undefined;
  const name = nameOf(sql);
  const prepared = preparedOn.get(client) ?? new Set<string>();
  preparedOn.set(client, prepared);
  if (!prepared.has(name) && prepared.size >= maxPrepared) return undefined;
  prepared.add(name);
  return name;
}

function nameOf(sql: string): string {
  const known = namesByText.get(sql);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(sql).digest('hex').slice(0, 32);
  if (namesByText.size < maxNames) namesByText.set(sql, name);
  return name;
}

export function issue(client: pg.PoolClient, query: CompiledQuery, role?: BatchRole): Promise<pg.QueryResult> {
  const name = preparedName(client, query.sql);
  // A prepared statement that another role runs is planned again each time.
  const prepared = name === undefined ? {} : { name: role === undefined ? name : `${role} ${name}` };
  const values = query.parameters.map((value) => (Array.isArray(value) ? (arrayLiteral(value) ?? value) : value));
  return client.query({ text: query.sql, values, ...prepared });
}

/** The client for as long as its transaction lasts: a later statement would run in another's transaction. */
export class OneClientConnection implements DatabaseConnection {
  readonly #client: pg.PoolClient;
  readonly #role: BatchRole | undefined;
  #hasEnded = false;

  constructor(client: pg.PoolClient, role: BatchRole | undefined) {
    this.#client = client;
    this.#role = role;
  }

  async executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    invariant(!this.#hasEnded, 'a statement is issued within its transaction');
    const result = await issue(this.#client, query, this.#role);
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) };
  }

  end(): void {
    this.#hasEnded = true;
  }

  // biome-ignore lint/correctness/useYield: Kysely's interface wants a generator; no caller streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming is not used');
  }
}
