import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import type { LedgerMismatch } from './domain.ts';

/**
 * Recomputes the sums that are kept beside the entries (migration 0141): at each cut of a wallet they are those of all postings before it,
 * and no posting is cut in two.
 */
export async function verifyFlows(tx: PlatformTx): Promise<LedgerMismatch[]> {
  const { rows } = await sql<LedgerMismatch>`
    with cut as materialized (
      select company_id, owner_id, array_agg(available order by available, outbound) as available,
        array_agg(outbound order by available, outbound) as outbound
      from (select distinct company_id, owner_id, available, outbound from ledger_flow) c group by company_id, owner_id
    ), posting as materialized (
      select c.company_id, c.owner_id, e.posting_id, sum(e.amount) as amount,
        -- How many cuts are before it: two figures of one posting only where a cut is within it.
        array_agg(distinct case a.kind when 'available' then width_bucket(e.sequence - 1, c.available) else width_bucket(e.sequence - 1, c.outbound) end)
          as before
      from cut c
      join ledger_account a on a.company_id = c.company_id and a.owner_id = c.owner_id and a.kind in ('available', 'outbound')
      join ledger_entry e on e.company_id = a.company_id and e.account_id = a.id
      group by c.company_id, c.owner_id, e.posting_id
    ), made as (
      select p.company_id, p.owner_id, p.before[1] + 1 as place, l.kind, l.corrects_id is not null as correcting,
        sum(greatest(p.amount, 0)) as in_minor, sum(greatest(-p.amount, 0)) as out_minor, coalesce(sum(f.amount), 0) as fee_minor,
        count(*) as movements
      from posting p
      join ledger_posting l on l.company_id = p.company_id and l.id = p.posting_id
      left join lateral (
        select sum(e.amount) as amount from ledger_entry e
        join ledger_account a on a.company_id = e.company_id and a.id = e.account_id and a.owner_id = p.owner_id and a.kind = 'fee'
        where e.company_id = p.company_id and e.posting_id = p.posting_id
      ) f on true
      where p.amount <> 0 group by 1, 2, 3, 4, 5
    ), place as (
      select c.company_id, c.owner_id, u.place, u.available, u.outbound
      from cut c, unnest(c.available, c.outbound) with ordinality as u (available, outbound, place)
    ), summed as (
      select p.company_id, p.owner_id, p.available, p.outbound, k.kind, k.correcting, sum(m.in_minor) over so_far as in_minor,
        sum(m.out_minor) over so_far as out_minor, sum(m.fee_minor) over so_far as fee_minor, sum(m.movements) over so_far as movements
      from place p
      join (select distinct company_id, owner_id, kind, correcting from made) k using (company_id, owner_id)
      left join made m on m.company_id = p.company_id and m.owner_id = p.owner_id and m.place = p.place and m.kind = k.kind
        and m.correcting = k.correcting
      window so_far as (partition by p.company_id, p.owner_id, k.kind, k.correcting order by p.place)
    )
    select company_id as "companyId", owner_id as id, format('wallet: the sums of %s kept at %s, %s are not those of its entries', kind,
      available, outbound) as problem, 'flows' as kind,
      jsonb_build_object('flow', kind, 'available', available::text, 'outbound', outbound::text) as values
    from (select * from summed where movements > 0) s
    full join ledger_flow f using (company_id, owner_id, available, outbound, kind, correcting)
    where (s.in_minor, s.out_minor, s.fee_minor, s.movements) is distinct from (f.in_minor, f.out_minor, f.fee_minor, f.movements)
    union all
    select company_id, owner_id, format('wallet: a place of kept sums is within posting %s', posting_id), 'cut',
      jsonb_build_object('posting', posting_id::text) from posting
    where cardinality(before) > 1`.execute(tx);
  return rows;
}
