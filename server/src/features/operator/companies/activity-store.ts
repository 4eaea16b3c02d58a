import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** Completed transactions of one asset. Amounts in minor units, values in US cents as kept with each transaction. */
export interface ActivityRow {
  asset: string;
  decimals: number;
  count: number;
  inMinor: bigint;
  inCents: bigint;
  outMinor: bigint;
  outCents: bigint;
  feeMinor: bigint;
  feeCents: bigint;
  unvalued: number;
}

/** Those with the highest value first. A collection of fees is none of the company's transactions. A fee is worth its share of its transaction's value, rounded half up. */
export async function findActivity(tx: PlatformTx, companyId: string, days: number): Promise<ActivityRow[]> {
  const sum = (of: string, filter = 'true') =>
    sql`coalesce(sum(${sql.raw(of)}) filter (where ${sql.raw(filter)}), 0)::numeric(78, 0)`;
  const cents = 'round(t.value_usd_cents * t.fee / t.quantity)';
  const { rows } = await sql<ActivityRow>`
    select a.id as asset, a.decimals, count(*) as count,
      ${sum('t.quantity', "t.direction = 'in'")} as "inMinor", ${sum('t.value_usd_cents', "t.direction = 'in'")} as "inCents",
      ${sum('t.quantity', "t.direction = 'out'")} as "outMinor", ${sum('t.value_usd_cents', "t.direction = 'out'")} as "outCents",
      ${sum('t.fee')} as "feeMinor", ${sum(cents)} as "feeCents",
      count(*) filter (where t.value_usd_cents is null) as unvalued
    from transaction t join asset a on a.id = t.coin
    where t.company_id = ${companyId} and t.status = 'completed' and t.type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out') and t.created_at >= now() - make_interval(days => ${days})
    group by a.id, a.decimals
    order by coalesce(sum(t.value_usd_cents), 0) desc, a.id`.execute(tx);
  return rows;
}
