import type { Call, Query } from '@causeway/contract/call.ts';
import { type RawBuilder, sql } from 'kysely';
import { invariant } from '../domain-error.ts';
import { type CursorKind, maxExactTotal, type Position, pageOf, readPosition, sizeOf, totalOf } from '../http/page.ts';
import { planEachTime } from './connection.ts';
import { type Database, type Tx, together } from './database.ts';

/**
 * A list is data: where its rows come from, one filter for each name that its call's query takes, the orders it can be
 * read in. Pages (keyset), totals (exact to 10,000) and batches for exports follow from that. Filters use leakproof
 * operators alone: under row-level security no other operator can use an index (docs/adr/0060).
 */

/** What every list's query may hold beside its filters. */
interface Paging {
  size?: string | undefined;
  cursor?: string | undefined;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
}

export type ListCall = Call & { readonly query: NonNullable<Call['query']> };
type FilterName<C extends Call> = Exclude<keyof Query<C>, keyof Paging>;
type SortName<C extends Call> = Query<C> extends { sort?: infer S } ? Exclude<S, undefined> & string : string;
type Condition = RawBuilder<unknown>;

/** How an order's value becomes a cursor's, and what it is compared as. */
const orderTypes: Record<CursorKind, { cast: string; text: (by: RawBuilder<unknown>) => RawBuilder<unknown> }> = {
  time: {
    cast: 'timestamptz',
    text: (by) => sql`to_char(${by} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`,
  },
  text: { cast: 'text', text: (by) => by },
  number: { cast: 'bigint', text: (by) => by },
  id: { cast: 'uuid', text: (by) => by },
};

/** What rows are ordered by: an expression that is never null, and how a cursor holds its value. */
export interface Order {
  by: RawBuilder<unknown>;
  kind: CursorKind;
}

export interface List<C extends ListCall, Row, Scope> {
  /**
   * The table with its alias, or a subquery; with joins that filters or orders need: `crypto_payee p`. Rows that come from
   * several sources under one alias are merged: each source is cut to the page separately.
   */
  from: (scope: Scope) => RawBuilder<unknown> | readonly RawBuilder<unknown>[];
  /** What holds for every row; begins with the company: `p.company_id = company_id()`. */
  where: (scope: Scope) => Condition;
  /** One for each name of the query; null where a value narrows nothing. */
  filters: { [N in FilterName<C>]-?: (value: NonNullable<Query<C>[N]>, scope: Scope) => Condition | null };
  columns: (scope: Scope) => RawBuilder<Row>;
  /**
   * With it the page is cut first, from rows of this alias alone with all their columns; `joins` are made for these only.
   * A list of several sources has to say it.
   */
  page?: { alias: string; joins?: RawBuilder<unknown> };
  orders: Record<SortName<C>, Order>;
  /** The order unless the query asks for another. */
  first: { sort: SortName<C>; order: 'asc' | 'desc' };
  /** Breaks ties between equal order values; absent where these are unique. */
  id?: RawBuilder<unknown>;
}

export interface Page<Row> {
  items: Row[];
  total: number;
  totalExact: boolean;
  next: string | null;
}

/** Declares the list that a call returns. Types alone: the call says which filters and orders there must be. */
export function defineList<const C extends ListCall, Row, Scope = void>(
  _call: C,
  list: List<C, Row, Scope>,
): List<C, Row, Scope> {
  return list;
}

/**
 * One page of a list. `known` gives the total where it is kept and need not be counted.
 * @throws DomainError cursorInvalid
 */
export async function readPage<C extends ListCall, Row, Scope>(
  tx: Tx,
  list: List<C, Row, Scope>,
  query: Query<C>,
  scope: Scope,
  known?: number,
): Promise<Page<Row>> {
  const size = sizeOf((query as Paging).size);
  const [{ items, next }, count] = await together([
    readRows(tx, list, query, scope, size),
    known === undefined ? countRows(tx, list, query, scope, maxExactTotal + 1) : Promise.resolve(known),
  ]);
  return { items, ...totalOf(count), next };
}

/** How many rows match, counted no further than `most`. */
export async function countRows<C extends ListCall, Row, Scope>(
  tx: Tx,
  list: List<C, Row, Scope>,
  query: Query<C>,
  scope: Scope,
  most: number,
): Promise<number> {
  const matches = eachSource(
    list,
    scope,
    (source) => sql`select from ${source} where ${matching(list, query, scope)} limit ${most}`,
  );
  const { rows } = await sql<{ count: number }>`${planEachTime} select count(*) from (${matches}) as matches`.execute(
    tx,
  );
  return Math.min(rows[0]?.count ?? 0, most);
}

/** At most `size` rows from behind the query's cursor, and the cursor that leads on. @throws DomainError cursorInvalid */
export async function readRows<C extends ListCall, Row, Scope>(
  tx: Tx,
  list: List<C, Row, Scope>,
  query: Query<C>,
  scope: Scope,
  size: number,
): Promise<{ items: Row[]; next: string | null }> {
  const { sort, order = list.first.order, cursor } = query as Paging;
  const { by, kind } = list.orders[(sort ?? list.first.sort) as SortName<C>];
  const after = readPosition(cursor, kind, list.id !== undefined);
  const direction = sql.raw(order);
  const cut = sql`order by ${by} ${direction} ${list.id ? sql`, ${list.id} ${direction}` : sql``} limit ${size + 1}`;
  const rowsOf = (columns: RawBuilder<unknown>) =>
    eachSource(
      list,
      scope,
      (source) => sql`select ${columns} from ${source}
        where ${matching(list, query, scope)} and ${after ? beyond(after, list, { by, kind }, order) : sql`true`} ${cut}`,
    );
  const columns = sql`${list.columns(scope)}, ${orderTypes[kind].text(by)} as "orderKey", ${list.id ?? sql`null`} as "orderId"`;
  const alias = list.page && sql.id(list.page.alias);
  const statement = alias
    ? sql`select ${columns} from (${rowsOf(sql`${alias}.*`)}) as ${alias} ${list.page?.joins ?? sql``} ${cut}`
    : rowsOf(columns);
  type Placed = Row & { orderKey: string | number; orderId: string | null };
  const { rows } = await sql<Placed>`${planEachTime} ${statement}`.execute(tx);
  return pageOf(rows, size, ({ orderKey, orderId }) => (orderId === null ? [orderKey] : [orderKey, orderId]));
}

/** Rows behind a position, as one comparison that an index on the order can serve. */
function beyond(
  after: Position,
  { id }: { id?: RawBuilder<unknown> },
  { by, kind }: Order,
  order: 'asc' | 'desc',
): Condition {
  const comparison = sql.raw(order === 'desc' ? '<' : '>');
  const key = sql`${after.key}::${sql.raw(orderTypes[kind].cast)}`;
  return id ? sql`(${by}, ${id}) ${comparison} (${key}, ${after.id}::uuid)` : sql`${by} ${comparison} ${key}`;
}

/**
 * All rows of a list, batch by batch, each read in a transaction of its own together with what `more` adds: for exports.
 * @throws DomainError cursorInvalid
 */
export async function* readBatches<C extends ListCall, Row, Scope, More>(
  database: Database,
  companyId: string,
  list: List<C, Row, Scope>,
  query: Query<C>,
  options: { scope: (tx: Tx) => Promise<Scope>; size: number; more: (tx: Tx, rows: Row[]) => Promise<More> },
): AsyncGenerator<More> {
  let cursor: string | null = null;
  do {
    const from: Query<C> = cursor === null ? query : { ...query, cursor };
    const { made, next }: { made: More; next: string | null } = await database.withCompany(companyId, async (tx) => {
      const { items, next } = await readRows(tx, list, from, await options.scope(tx), options.size);
      return { made: await options.more(tx, items), next };
    });
    yield made;
    cursor = next;
  } while (cursor !== null);
}

/** A statement for each source of a list, their rows together; */
function eachSource<C extends ListCall, Row, Scope>(
  list: List<C, Row, Scope>,
  scope: Scope,
  statementOf: (source: RawBuilder<unknown>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  const [first, ...others] = [list.from(scope)].flat().map(statementOf);
  invariant(first, 'a list has a source');
  return others.length === 0 ? first : sql`(${sql.join([first, ...others], sql`) union all (`)})`;
}

function matching<C extends ListCall, Row, Scope>(list: List<C, Row, Scope>, query: Query<C>, scope: Scope): Condition {
  const conditions = [list.where(scope)];
  for (const [name, filter] of Object.entries(list.filters) as [
    FilterName<C>,
    (v: unknown, s: Scope) => Condition | null,
  ][]) {
    const value: unknown = query[name];
    const condition = value === undefined ? null : filter(value, scope);
    if (condition) conditions.push(condition);
  }
  return sql.join(conditions, sql` and `);
}

/** Rows whose text contains a keyword, whatever its case; a blank one narrows nothing. */
export function contains(text: RawBuilder<unknown>, keyword: string): Condition | null {
  const sought = keyword.trim();
  return sought === '' ? null : sql`strpos(lower(${text}), lower(${sought})) > 0`;
}

/** From an instant on (inclusive), kept within what the database can hold, which has no year 0. */
export function since(time: RawBuilder<unknown>, instant: string): Condition {
  return sql`${time} >= ${held(instant)}::timestamptz`;
}

/** Before an instant (exclusive). */
export function until(time: RawBuilder<unknown>, instant: string): Condition {
  return sql`${time} < ${held(instant)}::timestamptz`;
}

function held(instant: string): string {
  return new Date(Math.max(new Date(instant).getTime(), 0)).toISOString();
}
