import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/**
 * What can be wrong between requests and deposits. `missing`: a deposit at a request's address is no payment of it; `stray`: a payment is no deposit at an
 * address of its request; `paid`: the sum that is kept is not that of the deposits by their rates, less refunds; `ended`: its period ended and nothing was
 * said of it.
 */
export interface RequestMismatch {
  companyId: string;
  /** The request; of a missing payment the deposit. */
  id: string;
  problem: 'missing' | 'stray' | 'paid' | 'ended';
}

/** What is announced is followed within seconds, and what ends by the clock within a minute: younger differences are none. */
const grace = sql`interval '10 minutes'`;

/** The worker sees the requests of every company, also while it verifies one. */
const asked = (companyId: RawBuilder<unknown>) => sql`(company_id() is null or ${companyId} = company_id())`;

/** Recomputes the sums of requests from the deposits, in one snapshot: of every company as a role that reads across them, or of one. */
export async function verifyRequests(tx: PlatformTx): Promise<{ requests: number; mismatches: RequestMismatch[] }> {
  const { rows: mismatches } = await sql<RequestMismatch>`
    select t.company_id as "companyId", t.id, 'missing' as problem
    from payment_request_address d
    join wallet w on w.company_id = d.company_id and w.chain_id = d.chain_id
    join transaction t on t.company_id = w.company_id and t.wallet_id = w.id and t.type = 'chain_deposit' and t.payee_account = d.address
    where t.created_at < now() - ${grace}
      and not exists (select from payment_request_payment p
        where p.company_id = t.company_id and p.transaction_id = t.id and p.request_id = d.request_id)
    union all
    select p.company_id, p.request_id, 'stray' from payment_request_payment p
    join transaction t on t.company_id = p.company_id and t.id = p.transaction_id
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    where t.type <> 'chain_deposit' or not exists (select from payment_request_address d
      where d.company_id = p.company_id and d.request_id = p.request_id and d.chain_id = w.chain_id and d.address = t.payee_account)
    union all
    select q.company_id, q.id, 'paid' from payment_request q
    left join asset a on a.id = q.asset_id
    cross join lateral (
      -- Exact: of no coin more than 18 decimals are kept.
      select coalesce(div(sum((t.quantity - coalesce(r.refunded, 0)) * coalesce(p.rate, 1)
          * 10::numeric ^ (18 + case q.pricing when 'currency' then a.decimals - c.decimals else 0 end)), 10::numeric ^ 18), 0) as paid,
        max(greatest(t.updated_at, r.changed_at)) as changed_at
      from payment_request_payment p
      join transaction t on t.company_id = p.company_id and t.id = p.transaction_id and t.status = 'completed'
      join asset c on c.id = t.coin
      left join lateral (
        select sum(f.amount) filter (where o.status <> 'failed') as refunded, max(o.updated_at) as changed_at
        from payment_request_refund f join transaction o on o.company_id = f.company_id and o.id = f.transaction_id
        where f.company_id = p.company_id and f.payment_id = p.transaction_id) r on true
      where p.company_id = q.company_id and p.request_id = q.id and p.is_accepted and (q.pricing <> 'currency' or p.rate is not null)
    ) sums
    where ${asked(sql`q.company_id`)} and q.kind = 'single' and q.paid <> sums.paid and q.updated_at < now() - ${grace}
      and coalesce(sums.changed_at, '-infinity') < now() - ${grace}
    union all
    select company_id, id, 'ended' from payment_request
    where ${asked(sql`company_id`)} and state in ('open', 'preparing') and expires_at < now() - ${grace}
    order by 1, 2, 3`.execute(tx);
  const { rows } = await sql<{ count: number }>`
    select count(*) from payment_request where ${asked(sql`company_id`)}`.execute(tx);
  return { requests: rows[0]?.count ?? 0, mismatches };
}
