import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import type { LedgerMismatch } from './domain.ts';
import { verifyFlows } from './verify-flows.ts';

/**
 * Recomputes the whole ledger from its entries, in one snapshot: every balance and its sign, every running balance and
 * sequence, every posting's sum, that everything named is there, and the sums kept of wallets. These are the rules that the posting functions keep
 * (migration 0013), asked here without them. Runs as a role that reads across companies; minutes for millions of entries.
 */
export async function verifyLedger(tx: PlatformTx): Promise<{ accounts: number; mismatches: LedgerMismatch[] }> {
  const accounts = await sql<LedgerMismatch>`
    with kept as (
      select company_id, account_id, count(*) as entries, sum(amount) as total from ledger_entry
      group by company_id, account_id
    )
    select a.company_id as "companyId", a.id,
      format('%s: balance %s, version %s; its entries make %s in %s', a.kind, a.balance, a.version,
        coalesce(k.total, 0), coalesce(k.entries, 0)) as problem, 'balance' as kind,
      jsonb_build_object('account', a.kind, 'balance', a.balance::text, 'version', a.version::text, 'total', coalesce(k.total, 0)::text,
        'entries', coalesce(k.entries, 0)::text) as values
    from ledger_account a left join kept k on k.company_id = a.company_id and k.account_id = a.id
    where a.balance <> coalesce(k.total, 0) or a.version <> coalesce(k.entries, 0)
    union all
    select company_id, id, format('%s: balance %s has the wrong sign', kind, balance), 'sign', jsonb_build_object('account', kind, 'balance', balance::text)
    from ledger_account
    where case normal when 'credit' then balance < 0 when 'debit' then balance > 0 else false end`.execute(tx);
  const lines = await sql<LedgerMismatch>`
    with line as (
      select company_id, account_id, sequence, balance_after, asset_id,
        sum(amount) over (partition by company_id, account_id order by sequence) as running,
        row_number() over (partition by company_id, account_id order by sequence) as position
      from ledger_entry
    )
    select l.company_id as "companyId", l.account_id as id,
      format('entry %s: running balance %s, the entries before it make %s at place %s', l.sequence, l.balance_after,
        l.running, l.position) as problem, 'running' as kind, jsonb_build_object('entry', l.sequence::text, 'balance', l.balance_after::text,
        'total', l.running::text, 'place', l.position::text) as values
    from line l join ledger_account a on a.company_id = l.company_id and a.id = l.account_id
    where l.balance_after <> l.running or l.sequence <> l.position or l.asset_id <> a.asset_id
    union all
    select distinct e.company_id, e.account_id, 'account: entries name it, and it is not there', 'accountMissing', '{}'::jsonb from ledger_entry e
    where not exists (select from ledger_account a where a.company_id = e.company_id and a.id = e.account_id)`.execute(
    tx,
  );
  const postings = await sql<LedgerMismatch>`
    select company_id as "companyId", posting_id as id, format('posting: %s does not sum to zero: %s', asset_id, sum(amount))
      as problem, 'sum' as kind, jsonb_build_object('asset', asset_id, 'total', sum(amount)::text) as values
    from ledger_entry group by company_id, posting_id, asset_id having sum(amount) <> 0
    union all
    select p.company_id, p.id, 'posting: it has no entries', 'empty', '{}'::jsonb from ledger_posting p
    where not exists (select from ledger_entry e where e.company_id = p.company_id and e.posting_id = p.id)
    union all
    select distinct e.company_id, e.posting_id, 'posting: entries name it, and it is not there', 'postingMissing', '{}'::jsonb from ledger_entry e
    where not exists (select from ledger_posting p where p.company_id = e.company_id and p.id = e.posting_id)
    union all
    select p.company_id, p.id, 'posting: it corrects one that is not there', 'corrected', '{}'::jsonb from ledger_posting p
    where p.corrects_id is not null and not exists (
      select from ledger_posting c where c.company_id = p.company_id and c.id = p.corrects_id)`.execute(tx);
  const count = await sql<{ count: number }>`select count(*) as count from ledger_account`.execute(tx);
  const mismatches = [...accounts.rows, ...lines.rows, ...postings.rows, ...(await verifyFlows(tx))];
  return { accounts: count.rows[0]?.count ?? 0, mismatches };
}
