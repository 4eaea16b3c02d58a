import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import type { PlaceNames } from '../../banks/index.ts';

export interface DueOrder {
  companyId: string;
  id: string;
}

/** Before every id. */
const first = '00000000-0000-0000-0000-000000000000';

/** Limit orders of all companies that are over, or that the middle prices may have reached; by their ids, after one of them. */
export async function findDueOrders(tx: PlatformTx, after: string | null, most: number): Promise<DueOrder[]> {
  const { rows } = await sql<DueOrder>`
    select company_id as "companyId", transaction_id as id from exchange_limits_due(${after ?? first}, ${most})`.execute(
    tx,
  );
  return rows;
}

/** A wallet as one side of an order. */
export interface OrderSide {
  walletId: string;
  asset: string;
  decimals: number;
  place: PlaceNames;
}

/** A limit order that waits; amounts in minor units. */
export interface RestingRow {
  id: string;
  sell: OrderSide;
  buy: OrderSide;
  heldMinor: bigint;
  leastMinor: bigint;
  rate: string;
  until: Date;
  initiatorId: string;
  initiatorName: string;
  createdAt: Date;
}

/** The company's orders that wait for their rate, by their end. */
export async function findResting(tx: Tx): Promise<RestingRow[]> {
  const { rows } = await sql<RestingRow>`
    select e.transaction_id as id, ${sideOf('sw')} as sell, ${sideOf('bw')} as buy, e.sold + e.fee as "heldMinor",
      e.bound as "leastMinor", e.limit_rate::text as rate, e.limit_until as until, t.initiator_id as "initiatorId",
      t.initiator_name as "initiatorName", t.created_at as "createdAt"
    from transaction t
    join exchange e on e.company_id = t.company_id and e.transaction_id = t.id
    join wallet sw on sw.company_id = e.company_id and sw.id = e.sell_wallet_id
    join wallet bw on bw.company_id = e.company_id and bw.id = e.buy_wallet_id
    where t.company_id = company_id() and t.stage = 'waiting_rate'
    order by e.limit_until, t.id`.execute(tx);
  return rows;
}

/** A wallet, in a query, as one side of an order. */
export function sideOf(wallet: 'sw' | 'bw') {
  const w = sql.raw(wallet);
  return sql`
    jsonb_build_object('walletId', ${w}.id, 'asset', ${w}.asset_id, 'decimals', (select decimals from asset where id = ${w}.asset_id),
      'place', (select jsonb_build_object('name', coalesce(c.name, b.name), 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn)
        from (select 1) one left join chain c on c.id = ${w}.chain_id left join bank b on b.id = ${w}.bank_id))`;
}
