import { listBatchRows } from '@causeway/contract/batches.ts';
import type { BatchProblem, Written } from '@causeway/contract/batches-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import type { PlaceNames } from '../../banks/index.ts';
import { isNewPayee, isWarned, isWrong } from './drafts.ts';

/** A row with what it means, named as people know it. Amounts in minor units as text. */
export interface RowRecord {
  id: string;
  number: number;
  written: Written;
  problems: BatchProblem[];
  accepted: string[];
  walletId: string | null;
  amount: string | null;
  asset: string | null;
  decimals: number | null;
  place: PlaceNames | null;
  payeeId: string | null;
  payeeKind: 'crypto' | 'bank' | null;
  payeeLabel: string | null;
  payeeAccount: string | null;
  payeeStatus: string | null;
}

const columns = sql<RowRecord>`r.id, r.number, r.written, r.problems, r.accepted, r.wallet_id as "walletId", r.amount::text as amount,
  w.asset_id as asset, a.decimals,
  case when c.id is not null then jsonb_build_object('name', c.name, 'nameZhHk', null, 'nameZhCn', null)
    when b.id is not null then jsonb_build_object('name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) end as place,
  r.payee_id as "payeeId", case when r.payee_id is null then null when r.version_id is null then 'crypto' else 'bank' end as "payeeKind",
  coalesce(cp.label, bp.label) as "payeeLabel", coalesce(cp.address, v.account) as "payeeAccount",
  case when cp.id is not null then cp.status when bp.version_id <> r.version_id then 'changed' else bp.status end as "payeeStatus"`;
const joins = sql`
  left join wallet w on w.company_id = r.company_id and w.id = r.wallet_id
  left join asset a on a.id = w.asset_id
  left join chain c on c.id = w.chain_id
  left join bank b on b.id = w.bank_id
  left join crypto_payee cp on cp.company_id = r.company_id and cp.id = r.payee_id
  left join bank_payee bp on bp.company_id = r.company_id and bp.id = r.payee_id
  left join bank_payee_version v on v.company_id = r.company_id and v.id = r.version_id`;

/** Rows of a batch, in their order. */
export const rowList = defineList(listBatchRows, {
  from: () => sql`payout_batch_row r`,
  where: () => sql`r.company_id = company_id()`,
  filters: {
    batchId: (id) => sql`r.batch_id = ${id}`,
    show: (show) => (show === 'all' ? null : { wrong: isWrong, warned: isWarned, newPayee: isNewPayee }[show]),
    keyword: (keyword) => contains(sql`r.number::text || chr(10) || r.written::text`, keyword),
  },
  columns: () => columns,
  page: { alias: 'r', joins },
  orders: { number: { by: sql`r.number`, kind: 'number' } },
  first: { sort: 'number', order: 'asc' },
});

export async function findRow(tx: Tx, batchId: string, id: string): Promise<RowRecord | null> {
  const { rows } = await sql<RowRecord>`select ${columns} from payout_batch_row r ${joins}
    where r.company_id = company_id() and r.batch_id = ${batchId} and r.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** All wrong rows, in their order. */
export async function findWrong(
  tx: Tx,
  batchId: string,
): Promise<Pick<RowRecord, 'number' | 'written' | 'problems'>[]> {
  const { rows } = await sql<Pick<RowRecord, 'number' | 'written' | 'problems'>>`
    select r.number, r.written, r.problems from payout_batch_row r
    where r.company_id = company_id() and r.batch_id = ${batchId} and ${isWrong} order by r.number`.execute(tx);
  return rows;
}

/** Whom each row of a batch pays, by its id: the saved payee, or else the name that is written. */
export async function readPayeeNames(tx: Tx, batchId: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select r.id, coalesce(cp.label, bp.label, r.written ->> 'payee') as name from payout_batch_row r
    left join crypto_payee cp on cp.company_id = r.company_id and cp.id = r.payee_id
    left join bank_payee bp on bp.company_id = r.company_id and bp.id = r.payee_id
    where r.company_id = company_id() and r.batch_id = ${batchId}
      and coalesce(cp.label, bp.label, r.written ->> 'payee') is not null`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface Counts {
  wrong: number;
  warned: number;
  newPayees: number;
  waitingPayees: number;
}

export async function countRowsOf(tx: Tx, batchId: string): Promise<Counts> {
  const { rows } = await sql<Counts>`
    select count(*) filter (where ${isWrong}) as wrong, count(*) filter (where ${isWarned}) as warned,
      count(*) filter (where ${isNewPayee}) as "newPayees",
      count(*) filter (where cp.status = 'waiting' or bp.status = 'waiting') as "waitingPayees"
    from payout_batch_row r
    left join crypto_payee cp on cp.company_id = r.company_id and cp.id = r.payee_id
    left join bank_payee bp on bp.company_id = r.company_id and bp.id = r.payee_id
    where r.company_id = company_id() and r.batch_id = ${batchId}`.execute(tx);
  return rows[0] ?? { wrong: 0, warned: 0, newPayees: 0, waitingPayees: 0 };
}

export interface WalletSum {
  batchId: string;
  walletId: string;
  asset: string;
  decimals: number;
  place: PlaceNames;
  amount: string;
  rows: number;
}

/** What the rows of batches pay, by wallet. */
export async function sumsOf(tx: Tx, batchIds: readonly string[]): Promise<WalletSum[]> {
  if (batchIds.length === 0) return [];
  const { rows } = await sql<WalletSum>`
    select s.batch_id as "batchId", w.id as "walletId", w.asset_id as asset, a.decimals, s.amount::text as amount, s.rows,
      case when c.id is not null then jsonb_build_object('name', c.name, 'nameZhHk', null, 'nameZhCn', null)
        else jsonb_build_object('name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) end as place
    from (select batch_id, wallet_id, sum(amount) as amount, count(*) as rows from payout_batch_row
      where company_id = company_id() and batch_id = any (${[...batchIds]}::uuid[]) and wallet_id is not null and amount is not null
      group by batch_id, wallet_id) s
    join wallet w on w.company_id = company_id() and w.id = s.wallet_id
    join asset a on a.id = w.asset_id
    left join chain c on c.id = w.chain_id
    left join bank b on b.id = w.bank_id
    order by a.kind, w.asset_id, w.id`.execute(tx);
  return rows;
}
