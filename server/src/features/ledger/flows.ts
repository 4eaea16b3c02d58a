import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';

/**
 * What was paid in and out of wallets: of their accounts `available` and `outbound` together, so that what moves between the two is
 * nothing. Sums are kept at cuts (migration 0141, ADR 70); what lies between a cut and the place that is asked for is read from the entries.
 */

/** What came in and went out of a wallet by one kind of posting; minor units, both positive. */
export interface Flow {
  ownerId: string;
  /** Between which two instants, by the index of the first. */
  span: number;
  kind: string;
  /** The postings correct others. */
  correcting: boolean;
  inMinor: bigint;
  outMinor: bigint;
}

/**
 * The flows of wallets. `from` are instants in their order: a span begins at each and ends at the next, the last one never. A posting is
 * whole in the span in which it begins.
 */
export async function flowsSince(tx: Tx, ownerIds: readonly string[], from: readonly Date[]): Promise<Flow[]> {
  const { rows } = await sql<Flow>`
    with wallet as materialized (
      select a.owner_id, a.id as available_id, o.id as outbound_id, a.version as available, o.version as outbound
      from ledger_account a
      join ledger_account o on o.company_id = a.company_id and o.owner_id = a.owner_id and o.kind = 'outbound'
      where a.company_id = company_id() and a.owner_id = any (${[...ownerIds]}::uuid[]) and a.kind = 'available'
    ), bound as materialized (
      select w.owner_id, w.available_id, w.outbound_id, i.number, placed.available, placed.outbound
      from wallet w cross join unnest(${[...from]}::timestamptz[]) with ordinality as i (at, number)
      cross join lateral (
        select ${placeAt(sql`w.available_id`)} as available, ${placeAt(sql`w.outbound_id`)} as outbound
      ) placed
      union all
      select owner_id, available_id, outbound_id, ${from.length + 1}, available, outbound from wallet
    ), place as materialized (
      select distinct owner_id, available_id, outbound_id, available, outbound from bound
    ), cut as materialized (
      select p.*, coalesce(c.available, 0) as cut_available, coalesce(c.outbound, 0) as cut_outbound
      from place p left join lateral (
        select f.available, f.outbound from ledger_flow f
        where f.company_id = company_id() and f.owner_id = p.owner_id and f.available <= p.available and f.outbound <= p.outbound
        order by f.available desc, f.outbound desc limit 1
      ) c on true
    ), counted as (
      select c.owner_id, c.available, c.outbound, f.kind, f.correcting, f.in_minor, f.out_minor
      from cut c join ledger_flow f on f.company_id = company_id() and f.owner_id = c.owner_id
        and f.available = c.cut_available and f.outbound = c.cut_outbound
      union all
      select c.owner_id, c.available, c.outbound, p.kind, p.corrects_id is not null, greatest(e.amount, 0), greatest(-e.amount, 0)
      from cut c
      cross join lateral (
        select posting_id from ledger_entry
        where company_id = company_id() and account_id = c.available_id and sequence > c.cut_available and sequence <= c.available
        union
        select posting_id from ledger_entry
        where company_id = company_id() and account_id = c.outbound_id and sequence > c.cut_outbound and sequence <= c.outbound
      ) begun
      cross join lateral (
        select sum(amount) as amount from ledger_entry
        where company_id = company_id() and posting_id = begun.posting_id and account_id in (c.available_id, c.outbound_id)
      ) e
      cross join lateral (
        -- Limited, so that no plan reads all postings of the company instead.
        select kind, corrects_id from ledger_posting where company_id = company_id() and id = begun.posting_id limit 1
      ) p
      where e.amount <> 0
    ), until as (
      select b.owner_id, b.number, s.kind, s.correcting, s.in_minor, s.out_minor
      from bound b join (
        select owner_id, available, outbound, kind, correcting, sum(in_minor) as in_minor, sum(out_minor) as out_minor
        from counted group by 1, 2, 3, 4, 5
      ) s on s.owner_id = b.owner_id and s.available = b.available and s.outbound = b.outbound
    ), flow as (
      select owner_id, number, kind, correcting,
        in_minor - coalesce(lag(in_minor) over before, 0) as in_minor, out_minor - coalesce(lag(out_minor) over before, 0) as out_minor
      from until window before as (partition by owner_id, kind, correcting order by number)
    )
    select owner_id as "ownerId", (number - 2)::integer as span, kind, correcting, in_minor as "inMinor", out_minor as "outMinor"
    from flow where number > 1 and (in_minor <> 0 or out_minor <> 0) order by 1, 2, 3, 4`.execute(tx);
  return rows;
}

/** How many entries of an account are before the instant `i.at`; found as `balancesAt` finds them. */
function placeAt(accountId: RawBuilder<unknown>) {
  return sql`(
    select coalesce(max(e.sequence), 0) from (
      select coalesce(max(sequence), 0) as first, coalesce(max(sequence), 0) + 64 as last from (
        select sequence from ledger_entry
        where company_id = company_id() and account_id = ${accountId} and sequence % 64 = 0 and created_at < i.at
        order by created_at desc, sequence desc limit 1
      ) found
    ) indexed
    join ledger_entry e on e.company_id = company_id() and e.account_id = ${accountId} and e.created_at < i.at
      and e.sequence >= indexed.first and e.sequence <= indexed.last
  )`;
}

/** A place in a wallet's two accounts: how many entries of each are before it. */
export interface FlowPlace {
  available: number;
  outbound: number;
}

/** What moved between two places, in minor units. */
export interface FlowSums {
  moneyInMinor: bigint;
  moneyOutMinor: bigint;
  feesMinor: bigint;
  movements: number;
}

/**
 * Sums what moved between two places of a wallet, by posting. Of a posting that is cut in two by one of them, its part between them
 * counts.
 */
export async function sumBetween(tx: Tx, ownerId: string, from: FlowPlace, to: FlowPlace): Promise<FlowSums> {
  const { rows } = await sql<FlowSums>`
    with wallet as materialized (
      select (array_agg(id) filter (where kind = 'available'))[1] as available_id,
        (array_agg(id) filter (where kind = 'outbound'))[1] as outbound_id, (array_agg(id) filter (where kind = 'fee'))[1] as fee_id
      from ledger_account where company_id = company_id() and owner_id = ${ownerId}
    ), cut as materialized (
      select first.available as first_available, first.outbound as first_outbound, last.available as last_available,
        last.outbound as last_outbound
      from (
        select available, outbound from ledger_flow
        where company_id = company_id() and owner_id = ${ownerId} and available >= ${from.available} and outbound >= ${from.outbound}
        order by available, outbound limit 1
      ) first
      join (
        select available, outbound from ledger_flow
        where company_id = company_id() and owner_id = ${ownerId} and available <= ${to.available} and outbound <= ${to.outbound}
        order by available desc, outbound desc limit 1
      ) last on first.available <= last.available and first.outbound <= last.outbound
    ), part (number, after_available, to_available, after_outbound, to_outbound) as materialized (
      select 1, ${from.available}::bigint, coalesce((select first_available from cut), ${to.available}::bigint),
        ${from.outbound}::bigint, coalesce((select first_outbound from cut), ${to.outbound}::bigint)
      union all
      select 2, last_available, ${to.available}::bigint, last_outbound, ${to.outbound}::bigint from cut
    ), moved as (
      select e.number, e.posting_id, sum(e.amount) as amount
      from (
        select p.number, l.posting_id, l.amount from part p join ledger_entry l on l.company_id = company_id()
          and l.account_id = (select available_id from wallet) and l.sequence > p.after_available and l.sequence <= p.to_available
        union all
        select p.number, l.posting_id, l.amount from part p join ledger_entry l on l.company_id = company_id()
          and l.account_id = (select outbound_id from wallet) and l.sequence > p.after_outbound and l.sequence <= p.to_outbound
      ) e
      group by e.number, e.posting_id having sum(e.amount) <> 0
    ), summed as (
      select greatest(m.amount, 0) as in_minor, greatest(-m.amount, 0) as out_minor, coalesce(taken.fee, 0) as fee_minor, 1 as movements
      from moved m
      left join lateral (
        select sum(f.amount) as fee from ledger_entry f
        where f.company_id = company_id() and f.posting_id = m.posting_id and f.account_id = (select fee_id from wallet)
      ) taken on true
      union all
      select s.sign * f.in_minor, s.sign * f.out_minor, s.sign * f.fee_minor, s.sign * f.movements
      from cut c
      cross join lateral (values (-1, c.first_available, c.first_outbound), (1, c.last_available, c.last_outbound)) s (sign, available, outbound)
      join ledger_flow f on f.company_id = company_id() and f.owner_id = ${ownerId} and f.available = s.available and f.outbound = s.outbound
    )
    select coalesce(sum(in_minor), 0) as "moneyInMinor", coalesce(sum(out_minor), 0) as "moneyOutMinor",
      coalesce(sum(fee_minor), 0) as "feesMinor", coalesce(sum(movements), 0)::integer as movements
    from summed`.execute(tx);
  return rows[0] ?? { moneyInMinor: 0n, moneyOutMinor: 0n, feesMinor: 0n, movements: 0 };
}

/** Adds the cuts that a wallet lacks. @returns whether it is so far behind that there are more */
export async function keepFlows(tx: Tx, ownerId: string): Promise<boolean> {
  const { rows } = await sql<{ more: boolean }>`select ledger_keep_flows(${ownerId}) as more`.execute(tx);
  return rows[0]?.more ?? false;
}

/** Wallets that lack cuts, in the order of their ids. */
export async function findFlowsDue(
  tx: PlatformTx,
  after: string | null,
  most: number,
): Promise<{ companyId: string; ownerId: string }[]> {
  const { rows } = await sql<{ companyId: string; ownerId: string }>`
    select company_id as "companyId", owner_id as "ownerId" from ledger_flows_due(${after}, ${most})`.execute(tx);
  return rows;
}
