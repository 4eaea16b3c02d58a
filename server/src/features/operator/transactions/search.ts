import { statusAt, transactionLives } from '@causeway/contract/transactions-lives.ts';
import {
  type Stage,
  type TransactionStatus,
  type TransactionType,
  transactionTypes,
} from '@causeway/contract/transactions-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import { planEachTime } from '../../../platform/database/connection.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { since, until } from '../../../platform/database/list.ts';
import { type Found, findKeyword, type Pair } from './keyword.ts';

/**
 * Finds transactions across companies. The list by time has an index of its own; every filter goes through the companies' indexes, company
 * by company and a page of each, so that a filter of the operator costs the submissions of companies nothing (docs/PERFORMANCE.md).
 */

export interface Filter {
  keyword?: string | undefined;
  company?: string | undefined;
  type?: TransactionType | undefined;
  status?: TransactionStatus | undefined;
  stage?: Stage | undefined;
  coin?: string | undefined;
  chain?: string | undefined;
  from?: string | undefined;
  to?: string | undefined;
  /** In whole units. */
  amountMin?: string | undefined;
  amountMax?: string | undefined;
}

export interface Order {
  by: 'time' | 'amount';
  descending: boolean;
}

/** Where a page ended: the sort value as the database writes it, and the id. */
export interface Position {
  id: string;
  sortValue: string;
}

type Sql = RawBuilder<unknown>;

/** How rows are reached. */
type Way =
  | { by: 'time' }
  | { by: 'pairs'; pairs: readonly Pair[] }
  | { by: 'companies'; ids: readonly string[] | null }
  /** The wallets on a chain, whose index has their transactions by time. */
  | { by: 'wallets'; chain: string; company: string | null };

/** A search as the ways that together find it, each with its conditions on `t`. */
type Search = readonly { way: Way; conditions: readonly Sql[] }[];

/** The page behind a position, in order; `limit` rows at most. */
export async function findTransactions(
  tx: PlatformTx,
  filter: Filter,
  order: Order,
  after: Position | null,
  limit: number,
): Promise<(Pair & Position)[]> {
  const column = sql.raw(order.by === 'time' ? 'created_at' : 'amount_whole');
  const direction = sql.raw(order.descending ? 'desc' : 'asc');
  const cut = sql`order by t.${column} ${direction}, t.id ${direction} limit ${limit}`;
  const beyond =
    after &&
    sql`(t.${column}, t.id) ${sql.raw(order.descending ? '<' : '>')}
      (${after.sortValue}::${sql.raw(order.by === 'time' ? 'timestamptz' : 'numeric')}, ${after.id}::uuid)`;
  await preferIndexes(tx);
  const search = await searchOf(tx, filter, order);
  if (search.length === 0) return [];
  if (search.some(({ way }) => way.by === 'wallets')) await keepOrder(tx);
  const parts = search.map(({ way, conditions }) =>
    rowsOf(way, sql`t.company_id, t.id, t.${column}`, beyond ? [...conditions, beyond] : conditions, cut),
  );
  const text =
    order.by === 'time'
      ? sql`to_char(t.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
      : sql`t.amount_whole::text`;
  const { rows } = await sql<Pair & Position>`${planEachTime}
    select t.company_id as "companyId", t.id, ${text} as "sortValue"
    from (select distinct * from (${union(parts)}) as every) as t ${cut}`.execute(tx);
  return rows;
}

/** How many match, counted no further than `most`. */
export async function countTransactions(tx: PlatformTx, filter: Filter, most: number): Promise<number> {
  if (Object.values(filter).every((value) => value === undefined)) return countAll(tx);
  await preferIndexes(tx);
  const search = await searchOf(tx, filter, { by: 'time', descending: true });
  if (search.length === 0) return 0;
  const limit = sql`limit ${most}`;
  // Without an order the planner would read the table itself.
  const inOrder = sql`order by t.created_at desc, t.id desc ${limit}`;
  const parts = search.map(({ way, conditions }) =>
    rowsOf(way, sql`t.company_id, t.id`, conditions, way.by === 'time' ? inOrder : limit),
  );
  const { rows } = await sql<{ count: number }>`${planEachTime}
    select count(*) from (select distinct * from (${union(parts)}) as every limit ${most}) as matching`.execute(tx);
  return rows[0]?.count ?? 0;
}

/** By the figures of an average company the planner would read a whole table for the words that a large one has. */
async function preferIndexes(tx: PlatformTx): Promise<void> {
  await sql`select set_config('enable_seqscan', 'off', true)`.execute(tx);
}

/** A wallet's rows are more than the planner takes for those of a company and a wallet, which it holds for independent. */
async function keepOrder(tx: PlatformTx): Promise<void> {
  await sql`select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true)`.execute(tx);
}

/** Kept with each company's transactions, not counted. */
async function countAll(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select coalesce(sum(rows), 0)::bigint as count from transaction_count`.execute(tx);
  return rows[0]?.count ?? 0;
}

function union(parts: readonly Sql[]): Sql {
  return sql.join(
    parts.map((part) => sql`(${part})`),
    sql` union all `,
  );
}

async function searchOf(tx: PlatformTx, filter: Filter, order: Order): Promise<Search> {
  const narrowing = conditionsOf(filter);
  const usual = usualWay(filter, order);
  const found: Found = await findKeyword(tx, filter.keyword, filter.company);
  const one = filter.company === undefined ? [] : [sql`t.company_id = ${filter.company}`];
  // The wallets of a chain say it already, and a condition more would mislead the planner.
  const onChain = filter.chain === undefined ? [] : [sql`t.chain_id = ${filter.chain}`];
  const conditions = (way: Way) => [...narrowing, ...(way.by === 'wallets' ? [] : onChain)];
  switch (found.by) {
    case 'nothing':
      return [{ way: usual, conditions: conditions(usual) }];
    case 'condition': {
      const way = found.isCommon && order.by === 'time' ? commonWay(filter) : usual;
      return [{ way, conditions: [...conditions(way), found.condition] }];
    }
    case 'rows': {
      const pairs: Way = { by: 'pairs', pairs: found.pairs };
      const companies: Way = {
        by: 'companies',
        ids: found.companies.filter((id) => filter.company === undefined || id === filter.company),
      };
      return [
        ...(pairs.pairs.length > 0 ? [{ way: pairs, conditions: [...conditions(pairs), ...one] }] : []),
        ...(companies.ids?.length ? [{ way: companies, conditions: conditions(companies) }] : []),
      ];
    }
  }
}

function usualWay(filter: Filter, order: Order): Way {
  const { keyword, company, coin, chain, from: _from, to: _to, ...narrow } = filter;
  const isNarrowed = order.by === 'amount' || Object.values(narrow).some((value) => value !== undefined);
  if (chain !== undefined && !isNarrowed) return { by: 'wallets', chain, company: company ?? null };
  if (company !== undefined) return { by: 'companies', ids: [company] };
  return isNarrowed || [keyword, coin, chain].some((value) => value !== undefined)
    ? { by: 'companies', ids: null }
    : { by: 'time' };
}

/** What many rows have is met soon by reading them in order. */
function commonWay({ company }: Filter): Way {
  return company === undefined ? { by: 'time' } : { by: 'companies', ids: [company] };
}

/** Collected fees and settlements are no transactions of a company: the page of the treasury has them. */
const companysOwn = sql`t.type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out')`;

function conditionsOf(filter: Filter): Sql[] {
  const { type, status, stage, coin, from, to, amountMin, amountMax } = filter;
  const every: (Sql | undefined)[] = [
    companysOwn,
    type === undefined ? undefined : sql`t.type = ${type}`,
    status === undefined ? undefined : sql`t.status = ${status}`,
    stage === undefined ? undefined : atStage(stage),
    coin === undefined ? undefined : sql`t.coin = ${coin}`,
    from === undefined ? undefined : since(sql`t.created_at`, from),
    to === undefined ? undefined : until(sql`t.created_at`, to),
    amountMin === undefined ? undefined : sql`t.amount_whole >= ${amountMin}::numeric`,
    amountMax === undefined ? undefined : sql`t.amount_whole <= ${amountMax}::numeric`,
  ];
  return every.filter((condition) => condition !== undefined);
}

/** Stages have no index: that of the status is used, and of those that are completed the type's where one alone has the stage. */
function atStage(stage: Stage): Sql {
  const types = transactionTypes.filter((type) => {
    const { road, endsEarly } = transactionLives[type];
    return [...road, ...endsEarly].includes(stage);
  });
  const [only] = types;
  const status = statusAt(stage);
  const ofType =
    status === 'completed' && types.length === 1 && only !== undefined ? sql` and t.type = ${only}` : sql``;
  return sql`t.stage = ${stage} and t.status = ${status}${ofType}`;
}

/** Rows of one way; `cut` is made for each company or wallet first, and then for all. */
function rowsOf(way: Way, columns: Sql, conditions: readonly Sql[], cut: Sql): Sql {
  const all = (...more: Sql[]) => {
    const every = [...more, ...conditions];
    return every.length === 0 ? sql`true` : sql.join(every, sql` and `);
  };
  switch (way.by) {
    case 'time':
      return sql`select ${columns} from transaction t where ${all()} ${cut}`;
    case 'pairs': {
      const [companies, ids] = [way.pairs.map(({ companyId }) => companyId), way.pairs.map(({ id }) => id)];
      // Each row is looked up by its key; `offset 0` keeps that apart.
      return sql`select ${columns} from unnest(${companies}::uuid[], ${ids}::uuid[]) as wanted (company_id, id)
        cross join lateral (select * from transaction r where r.company_id = wanted.company_id and r.id = wanted.id offset 0) t
        where ${all()} ${cut}`;
    }
    case 'companies': {
      const among = way.ids === null ? sql`true` : sql`c.company_id = any (${[...way.ids]}::uuid[])`;
      return sql`select t.* from company c cross join lateral
        (select ${columns} from transaction t where ${all(sql`t.company_id = c.company_id`)} ${cut}) t where ${among} ${cut}`;
    }
    case 'wallets': {
      const whose = way.company === null ? sql`true` : sql`w.company_id = ${way.company}`;
      return sql`select t.* from wallet w cross join lateral
        (select ${columns} from transaction t where ${all(sql`t.company_id = w.company_id`, sql`t.wallet_id = w.id`)} ${cut}) t
        where w.chain_id = ${way.chain} and ${whose} ${cut}`;
    }
  }
}
