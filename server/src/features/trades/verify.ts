import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';

/** A difference between escrow accounts and trades. */
interface TradeMismatch {
  companyId: string;
  /** Of a wallet (`escrow`) or a trade (`ended`, `postings`). */
  id: string;
  /** As the command line says it. */
  problem: string;
  kind: 'escrow' | 'ended' | 'postings';
  values: Record<string, string>;
}

/**
 * Recomputes what is frozen for trades: that each wallet's escrow is the sum of what its trades say is frozen and of what has come back from payments that
 * their trades have not followed yet, that nothing is frozen of a trade that is over, and that a trade's own postings make what it says is frozen. In one
 * snapshot, as a role that reads across companies, or of one company.
 */
export async function verifyTrades(tx: PlatformTx): Promise<{ trades: number; mismatches: TradeMismatch[] }> {
  const { rows: mismatches } = await sql<TradeMismatch>`
    with back as (
      select r.company_id, r.trade_id, a.owner_id as wallet_id, e.amount,
        exists (select from trade_line l
          where l.company_id = r.company_id and l.transaction_id = r.transaction_id and l.step = 'release_failed') as is_followed
      from trade_release r
      join ledger_posting p on p.company_id = r.company_id and p.source_id = r.transaction_id and p.kind = 'transfer.release'
      join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
      join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind = 'escrow'
    ), held as (
      select company_id, wallet_id, sum(frozen) as frozen from (
        select c.company_id, c.wallet_id, t.frozen
        from trade t join trade_confirmation c on c.company_id = t.company_id and c.id = t.confirmation_id
        union all
        select company_id, wallet_id, amount from back where not is_followed
      ) part group by 1, 2
    ), account as (
      select company_id, owner_id, sum(balance) as balance from ledger_account where kind = 'escrow' group by 1, 2
    ), posted as (
      select company_id, trade_id, sum(amount) as amount from (
        select l.company_id, l.trade_id, e.amount
        from trade_line l
        join ledger_posting p on p.company_id = l.company_id and p.source_id = l.id and p.kind like 'trade.%'
        join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
        join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.kind = 'escrow'
        union all
        select company_id, trade_id, amount from back where is_followed
      ) part group by 1, 2
    )
    select coalesce(a.company_id, h.company_id) as "companyId", coalesce(a.owner_id, h.wallet_id) as id,
      format('wallet: escrow %s; its trades say %s', coalesce(a.balance, 0), coalesce(h.frozen, 0)) as problem, 'escrow' as kind,
      jsonb_build_object('balance', coalesce(a.balance, 0)::text, 'frozen', coalesce(h.frozen, 0)::text) as values
    from account a full join held h on h.company_id = a.company_id and h.wallet_id = a.owner_id
    where coalesce(a.balance, 0) <> coalesce(h.frozen, 0)
    union all
    select company_id, id, format('trade: %s, and %s is frozen', state, frozen), 'ended', jsonb_build_object('frozen', frozen::text)
    from trade where frozen <> 0 and state not in ('waiting_approval', 'frozen')
    union all
    select t.company_id, t.id, format('trade: frozen %s; its postings make %s', t.frozen, coalesce(p.amount, 0)), 'postings',
      jsonb_build_object('frozen', t.frozen::text, 'total', coalesce(p.amount, 0)::text)
    from trade t left join posted p on p.company_id = t.company_id and p.trade_id = t.id
    where t.frozen <> coalesce(p.amount, 0)`.execute(tx);
  const { rows } = await sql<{ count: number }>`select count(*) as count from trade where frozen > 0`.execute(tx);
  return { trades: rows[0]?.count ?? 0, mismatches };
}
