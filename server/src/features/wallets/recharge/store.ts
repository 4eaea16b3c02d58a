import type { RechargeStatus } from '@causeway/contract/recharges.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';

/** An announced payment; amounts in minor units. */
export interface NoticeRow {
  id: string;
  walletId: string;
  amountMinor: bigint;
  paidAt: Date;
  remark: string;
  status: RechargeStatus;
  /** `YYYY-MM-DD`. */
  expectedFrom: string;
  expectedBy: string;
  /** The end of the last day on which it is expected, where the bank is. */
  lateAfter: Date;
  createdAt: Date;
  createdBy: string;
  createdByName: string;
  endedAt: Date | null;
  endedByName: string | null;
  transactionId: string | null;
  proofIds: string[];
  /** `createdAt` to the microsecond, as a list's cursor has it. */
  position: string;
}

const columns = sql`n.id, n.wallet_id as "walletId", n.amount as "amountMinor", n.paid_at as "paidAt", n.remark, n.status,
  n.expected_from::text as "expectedFrom", n.expected_by::text as "expectedBy", n.late_after as "lateAfter",
  n.created_at as "createdAt", n.created_by as "createdBy", n.created_by_name as "createdByName", n.ended_at as "endedAt",
  n.ended_by_name as "endedByName", n.transaction_id as "transactionId",
  array(select p.file_id from recharge_proof p where p.company_id = n.company_id and p.notice_id = n.id
    order by p.position) as "proofIds",
  to_char(n.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as position`;

async function select(tx: Tx, where: RawBuilder<unknown>): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    select ${columns} from recharge_notice n where n.company_id = company_id() and ${where}`.execute(tx);
  return rows;
}

export async function readNotice(tx: Tx, id: string): Promise<NoticeRow | null> {
  const [row] = await select(tx, sql`n.id = ${id}`);
  return row ?? null;
}

/** The same, and it stays as it is until the transaction ends. */
export async function holdNotice(tx: Tx, id: string): Promise<NoticeRow | null> {
  const [row] = await select(tx, sql`n.id = ${id} for update`);
  return row ?? null;
}

/** Those of a wallet that wait for their payment, the earliest payment first. */
export function readWaiting(tx: Tx, walletId: string): Promise<NoticeRow[]> {
  return select(tx, sql`n.wallet_id = ${walletId} and n.status = 'waiting' order by n.paid_at, n.id`);
}

/** Newest first, from after a position on. */
export function listNotices(
  tx: Tx,
  filters: { walletId: string | null; status: RechargeStatus | null },
  after: { time: string; id: string } | null,
  limit: number,
): Promise<NoticeRow[]> {
  const { walletId, status } = filters;
  const from = after === null ? sql`true` : sql`(n.created_at, n.id) < (${after.time}::timestamptz, ${after.id}::uuid)`;
  return select(
    tx,
    sql`(${walletId}::uuid is null or n.wallet_id = ${walletId}) and (${status}::text is null or n.status = ${status}) and ${from}
      order by n.created_at desc, n.id desc limit ${limit}`,
  );
}

export async function countNotices(
  tx: Tx,
  { walletId, status }: { walletId: string | null; status: RechargeStatus | null },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from (select from recharge_notice n where n.company_id = company_id()
      and (${walletId}::uuid is null or n.wallet_id = ${walletId}) and (${status}::text is null or n.status = ${status})
      limit ${maxExactTotal + 1}) as counted`.execute(tx);
  return rows[0]?.count ?? 0;
}

export interface NewNotice
  extends Pick<
    NoticeRow,
    | 'id'
    | 'walletId'
    | 'amountMinor'
    | 'paidAt'
    | 'remark'
    | 'expectedFrom'
    | 'expectedBy'
    | 'createdBy'
    | 'createdByName'
  > {
  /** IANA, of the bank. */
  timeZone: string;
  proofIds: readonly string[];
}

/** Writes a notice with its proofs; false when its id is taken. */
export async function insertNotice(tx: Tx, notice: NewNotice): Promise<boolean> {
  const { id, walletId, amountMinor, paidAt, remark, expectedFrom, expectedBy, timeZone } = notice;
  const { rows } = await sql`
    insert into recharge_notice (company_id, id, wallet_id, amount, paid_at, remark, expected_from, expected_by, late_after,
      created_by, created_by_name)
    values (company_id(), ${id}, ${walletId}, ${amountMinor.toString()}, ${paidAt}, ${remark}, ${expectedFrom}::date,
      ${expectedBy}::date, day_begins(${expectedBy}::date + 1, ${timeZone}), ${notice.createdBy},
      ${notice.createdByName})
    on conflict do nothing returning 1`.execute(tx);
  if (rows.length === 0) return false;
  await sql`
    insert into recharge_proof (company_id, notice_id, file_id, position)
    select company_id(), ${id}, f.id, f.place - 1
    from unnest(${[...notice.proofIds]}::uuid[]) with ordinality as f (id, place)`.execute(tx);
  return true;
}

/** Ends a waiting notice by a person; false when it waits no longer. */
export async function endNotice(tx: Tx, id: string, by: { id: string; name: string }): Promise<boolean> {
  const { rows } = await sql`
    update recharge_notice set status = 'withdrawn', ended_at = now(), ended_by = ${by.id}, ended_by_name = ${by.name}
    where company_id = company_id() and id = ${id} and status = 'waiting' returning 1`.execute(tx);
  return rows.length === 1;
}

/** Ends a waiting notice by the deposit that it announced; false when it waits no longer. */
export async function settleNotice(tx: Tx, id: string, transactionId: string): Promise<boolean> {
  const { rows } = await sql`
    update recharge_notice set status = 'matched', ended_at = now(), transaction_id = ${transactionId}
    where company_id = company_id() and id = ${id} and status = 'waiting' returning 1`.execute(tx);
  return rows.length === 1;
}

/** Companies with a late notice of which no one was reminded, in the order of their ids. */
export async function companiesWithLate(tx: PlatformTx, now: Date, most: number): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from companies_with_late_recharges(${now}, ${most})`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/** Takes the company's late notices of which no one was reminded, so that no other worker reminds of them. */
export async function takeLate(tx: Tx, now: Date): Promise<NoticeRow[]> {
  const { rows } = await sql<NoticeRow>`
    update recharge_notice n set reminded_at = ${now}
    where n.company_id = company_id() and n.status = 'waiting' and n.reminded_at is null and n.late_after <= ${now}
    returning ${columns}`.execute(tx);
  return rows;
}

/** The deposit into a wallet that its bank calls so, not before the bank saw it; null: none. */
export async function depositNamed(tx: Tx, walletId: string, reference: string, since: Date): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from transaction where company_id = company_id() and wallet_id = ${walletId} and type = 'fiat_deposit'
      and bank_reference = ${reference} and created_at >= ${since}::timestamptz - interval '1 day'
    order by created_at limit 1`.execute(tx);
  return rows[0]?.id ?? null;
}
