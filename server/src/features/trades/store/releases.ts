import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** A payment to the seller; null: the transaction is none. Its amount in minor units. */
export interface Release {
  transactionId: string;
  tradeId: string;
  milestoneId: string | null;
  amountMinor: bigint;
}

export async function findRelease(tx: Tx, transactionId: string): Promise<Release | null> {
  const { rows } = await sql<Release>`
    select transaction_id as "transactionId", trade_id as "tradeId", milestone_id as "milestoneId", amount as "amountMinor"
    from trade_release where company_id = company_id() and transaction_id = ${transactionId}`.execute(tx);
  return rows[0] ?? null;
}

/** How a payment to the seller has ended by what its trade's timeline says; null: it has said nothing of it yet. */
export async function findSaidEnd(tx: Tx, transactionId: string): Promise<'release_failed' | 'release_paid' | null> {
  const { rows } = await sql<{ step: 'release_failed' | 'release_paid' }>`
    select step from trade_line
    where company_id = company_id() and transaction_id = ${transactionId} and step in ('release_failed', 'release_paid')
    order by at desc, id desc limit 1`.execute(tx);
  return rows[0]?.step ?? null;
}

/** Of these companies, those that have paid a seller. */
export async function companiesWithReleases(tx: PlatformTx, companyIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ companyId: string }>`
    select c.id as "companyId" from unnest(${[...companyIds]}::uuid[]) as c (id)
    where exists (select from trade_release r where r.company_id = c.id)`.execute(tx);
  return new Set(rows.map(({ companyId }) => companyId));
}

/** Payments `r` to sellers with their transactions `t` and, as `said.step`, how they have ended by what their trade's timeline says. */
const releasesWithSaid = sql`trade_release r
  join transaction t on t.company_id = r.company_id and t.id = r.transaction_id
  left join lateral (
    select l.step from trade_line l
    where l.company_id = r.company_id and l.transaction_id = r.transaction_id and l.step in ('release_failed', 'release_paid')
    order by l.at desc, l.id desc limit 1
  ) said on true`;

/** Whether a payment of the trade has come to nothing that `followRelease` has not followed yet: what it took out of escrow is no trade's at that moment. */
export async function isFailureUnfollowed(tx: Tx, tradeId: string): Promise<boolean> {
  const { rows } = await sql`
    select from ${releasesWithSaid}
    where r.company_id = company_id() and r.trade_id = ${tradeId} and t.status = 'failed'
      and said.step is distinct from 'release_failed' limit 1`.execute(tx);
  return rows.length > 0;
}

/** All companies that have paid a seller. */
export async function allCompaniesWithReleases(tx: PlatformTx): Promise<string[]> {
  const { rows } = await sql<{ companyId: string }>`
    select distinct company_id as "companyId" from trade_release order by 1`.execute(tx);
  return rows.map(({ companyId }) => companyId);
}

/**
 * The company's payments to sellers that reached their stage so many milliseconds ago and of which the timeline of their trade does not say how they ended:
 * those for which `followRelease` has something to do, the oldest first.
 */
export async function findUnfollowed(tx: Tx, { olderMs, most }: { olderMs: number; most: number }): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select t.id from ${releasesWithSaid}
    where r.company_id = company_id() and t.stage_at < now() - make_interval(secs => ${olderMs / 1000})
      and case t.status
        when 'failed' then said.step is distinct from 'release_failed'
        -- It had failed before: the timeline says that alone, or neither, and its hold went back to escrow.
        when 'completed' then said.step = 'release_failed' or (said.step is null and exists (
          select from ledger_posting p
          join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
          join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind = 'escrow'
          where p.company_id = r.company_id and p.source_id = r.transaction_id and p.kind = 'transfer.release'))
        else false
      end
    order by t.stage_at, t.id limit ${most}`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The payment that a line of the timeline says was made: both were written in one transaction, the line no earlier. */
export async function findReleaseOf(tx: Tx, lineId: string): Promise<string | null> {
  // Compared in the database: a Date has no microseconds.
  const { rows } = await sql<{ id: string }>`
    select r.transaction_id as id from trade_line l
    join trade_release r on r.company_id = l.company_id and r.trade_id = l.trade_id and r.at <= l.at
    where l.company_id = company_id() and l.id = ${lineId} order by r.at desc, r.transaction_id desc limit 1`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}

/** A payment to the seller; amounts in minor units. */
export async function insertRelease(
  tx: Tx,
  release: {
    transactionId: string;
    tradeId: string;
    milestoneId: string | null;
    amountMinor: bigint;
    fromEscrowMinor: bigint;
  },
): Promise<void> {
  await sql`
    insert into trade_release (company_id, transaction_id, trade_id, milestone_id, amount, from_escrow)
    values (company_id(), ${release.transactionId}, ${release.tradeId}, ${release.milestoneId}, ${release.amountMinor.toString()}::numeric,
      ${release.fromEscrowMinor.toString()}::numeric)`.execute(tx);
}
