import type { VerificationResult } from '@causeway/contract/operator-health-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { BankFinding } from '../../rails/index.ts';

/** What the page of reconciliation shows beside the comparison itself. Amounts in minor units. */

export interface PlaceRow {
  bank: string;
  asset: string;
  decimals: number;
  name: string;
  nameZhHk: string | null;
  nameZhCn: string | null;
  /** Held and owed, whose it is is not known. */
  suspenseMinor: bigint;
}

export async function findPlaces(tx: PlatformTx): Promise<PlaceRow[]> {
  const { rows } = await sql<PlaceRow>`
    select b.id as bank, a.id as asset, a.decimals, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn",
      coalesce((select sum(l.balance) from ledger_account l join bank_collection c on c.id = l.owner_id
        where l.kind = 'suspense' and c.bank_id = b.id and c.asset_id = a.id), 0) as "suspenseMinor"
    from bank_asset ba join bank b on b.id = ba.bank_id join asset a on a.id = ba.asset_id`.execute(tx);
  return rows;
}

export interface AccountRow {
  bank: string;
  asset: string;
  number: string;
  sinceMinor: bigint;
  /** Its last statement that is no copy and has both balances, minor units as text. */
  statement: {
    fileId: string;
    reference: string;
    opening: string;
    total: string;
    closing: string;
    closedOn: string;
    entries: number;
  } | null;
}

export async function findAccounts(tx: PlatformTx): Promise<AccountRow[]> {
  const { rows } = await sql<AccountRow>`
    select c.bank_id as bank, c.asset_id as asset, c.number, coalesce(since.amount, 0) as "sinceMinor", last.statement
    from bank_collection c
    left join lateral (
      select s.closed_on, json_build_object('fileId', s.message_id, 'reference', s.reference, 'opening', s.opening::text,
        'total', s.total::text, 'closing', s.closing::text, 'closedOn', s.closed_on::text, 'entries', s.entries) as statement
      from bank_statement s
      where s.collection_id = c.id and s.kind = 'statement' and s.copy_of is null and s.opening is not null and s.closing is not null
      order by s.closed_on desc, s.opened_on desc, s.id desc limit 1) last on true
    left join lateral (select sum(m.amount) as amount from bank_money m
      where m.collection_id = c.id and m.booked_entry_id is null and m.state <> 'detailed'
        and (last.closed_on is null or m.booked_on is null or m.booked_on > last.closed_on)) since on true
    order by c.bank_id, c.asset_id, c.number`.execute(tx);
  return rows;
}

/** The files in which statements and entries are, by the ids of findings. */
export async function findFilesOf(tx: PlatformTx, findings: readonly BankFinding[]): Promise<Map<string, string>> {
  const ids = findings.map(({ id }) => id);
  const { rows } = await sql<{ id: string; fileId: string }>`
    select s.id, s.message_id as "fileId" from bank_statement s where s.id = any (${ids}::uuid[])
    union all select e.id, s.message_id from bank_entry e join bank_statement s on s.id = e.statement_id where e.id = any (${ids}::uuid[])`.execute(
    tx,
  );
  return new Map(rows.map(({ id, fileId }) => [id, fileId]));
}

export async function findTransactionsAmong(tx: PlatformTx, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`select id from transaction where id = any (${[...ids]}::uuid[])`.execute(
    tx,
  );
  return new Set(rows.map(({ id }) => id));
}

export async function findLastNight(
  tx: PlatformTx,
): Promise<{ at: string; result: VerificationResult; differences: number } | null> {
  const { rows } = await sql<{ at: Date; result: VerificationResult; differences: number }>`
    select ended_at as at, result, differences from verification where kind = 'bank' order by ended_at desc limit 1`.execute(
    tx,
  );
  const [last] = rows;
  return last ? { ...last, at: last.at.toISOString() } : null;
}
