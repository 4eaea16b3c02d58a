import type { Period } from '@causeway/contract/statements-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { Entry } from './domain.ts';

/** The ledger's accounts of a wallet that its statement is made of. */
export interface StatementAccounts {
  availableId: string;
  onHoldId: string;
  feeId: string;
  /** When the wallet's books were opened. */
  openedAt: Date;
}

/** By wallet. */
export async function findStatementAccounts(
  tx: Tx,
  walletIds: readonly string[],
): Promise<ReadonlyMap<string, StatementAccounts>> {
  const { rows } = await sql<StatementAccounts & { walletId: string }>`
    select a.owner_id as "walletId", a.id as "availableId", o.id as "onHoldId", f.id as "feeId", a.created_at as "openedAt"
    from ledger_account a
    join ledger_account o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'outbound'
    left join ledger_account f on f.company_id = a.company_id and f.owner_id = a.owner_id and f.kind = 'fee'
    where a.company_id = company_id() and a.owner_id = any (${[...walletIds]}::uuid[]) and a.kind = 'available'`.execute(
    tx,
  );
  return new Map(rows.map(({ walletId, ...accounts }) => [walletId, accounts]));
}

/** What day it is in a zone. */
export async function findToday(tx: PlatformTx, timeZone: string, now: Date): Promise<string> {
  const { rows } = await sql<{
    day: string;
  }>`select (${now}::timestamptz at time zone ${timeZone})::date::text as day`.execute(tx);
  return only(rows).day;
}

/** The midnights of a zone with which the first day begins and the last one ends, also where a day has 23 or 25 hours, or midnight comes twice. */
export async function findMidnights(
  tx: PlatformTx,
  timeZone: string,
  { from, to }: Period,
): Promise<{ opensAt: Date; closesAt: Date }> {
  const { rows } = await sql<{ opensAt: Date; closesAt: Date }>`
    select day_begins(${from}::date, ${timeZone}) as "opensAt", day_begins(${to}::date + 1, ${timeZone}) as "closesAt"`.execute(
    tx,
  );
  return only(rows);
}

function only<T>(rows: readonly T[]): T {
  const [row] = rows;
  invariant(row, 'a select without a table has one row');
  return row;
}

/** Entries of one of the two accounts behind a place and up to another, in its order. */
export async function readEntries(
  tx: Tx,
  accounts: StatementAccounts,
  account: 'available' | 'onHold',
  { after, to }: { after: number; to: number },
  limit: number,
): Promise<Entry[]> {
  const { availableId, onHoldId, feeId } = accounts;
  const [ownId, otherId] = account === 'available' ? [availableId, onHoldId] : [onHoldId, availableId];
  const { rows } = await sql<Entry>`
    select e.sequence, e.created_at as at, e.posting_id as "postingId", p.kind, p.description, p.source_id as "sourceId",
      e.amount as "amountMinor", e.balance_after as "balanceMinor", o."otherSequence", coalesce(o.fee, 0) as "feeMinor"
    from ledger_entry e
    join ledger_posting p on p.company_id = e.company_id and p.id = e.posting_id
    cross join lateral (
      select max(l.sequence) filter (where l.account_id = ${otherId}) as "otherSequence",
        sum(l.amount) filter (where l.account_id = ${feeId}) as fee
      from ledger_entry l where l.company_id = company_id() and l.posting_id = e.posting_id
    ) o
    where e.company_id = company_id() and e.account_id = ${ownId} and e.sequence > ${after} and e.sequence <= ${to}
    order by e.sequence limit ${limit}`.execute(tx);
  return rows;
}

/** The balance of an account after its entry of that number; 0 before the first. */
export async function balanceAfter(tx: Tx, accountId: string, sequence: number): Promise<bigint> {
  const { rows } = await sql<{ balanceMinor: bigint }>`
    select balance_after as "balanceMinor" from ledger_entry
    where company_id = company_id() and account_id = ${accountId} and sequence = ${sequence}`.execute(tx);
  return rows[0]?.balanceMinor ?? 0n;
}

/** US dollars per unit by asset and day (`USDT 2026-11-23`, UTC): the day's own last price, and none of another day. */
export async function findPricesOf(
  tx: PlatformTx,
  assets: readonly string[],
  days: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ asset: string; day: string; usd: string }>`
    select asset_id as asset, day::text, usd::text from rate_daily
    where asset_id = any (${[...assets]}::text[]) and day = any (${[...days]}::date[])`.execute(tx);
  return new Map([
    ...rows.map(({ asset, day, usd }) => [`${asset} ${day}`, usd] as const),
    ...days.map((day) => [`USD ${day}`, '1'] as const),
  ]);
}
