import { listTrades } from '@causeway/contract/trades.ts';
import type { TradeState } from '@causeway/contract/trades-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { tradeColumns, tradeJoins } from './trades.ts';

/** As `stateOf` finds it. */
const shownState: RawBuilder<TradeState> = sql`case
  when t.side = 'seller' then t.status
  when t.state in ('declined', 'cancelled') then 'cancelled'
  when t.state <> 'frozen' then 'created'
  when sums.paid + t.refunded < t.quantity then 'in_progress'
  when sums.paid > 0 then 'success'
  else 'cancelled' end`;

export const tradeList = defineList(listTrades, {
  from: () => tradeJoins,
  where: () => sql`t.company_id = company_id()`,
  filters: {
    state: (state) => sql`${shownState} = ${state}`,
    side: (side) => sql`t.side = ${side}`,
    search(words) {
      const sought = words.trim().toLowerCase();
      if (sought === '') return null;
      return sql`strpos(lower(concat_ws(' ', t.number, t.bill_of_lading, t.payer_name, t.payee_name)), ${sought}) > 0`;
    },
  },
  columns: () => tradeColumns,
  orders: { time: { by: sql`t.updated_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`t.id`,
});

export async function countByState(tx: Tx): Promise<ReadonlyMap<TradeState, number>> {
  const { rows } = await sql<{ state: TradeState; count: number }>`
    select ${shownState} as state, count(*) from ${tradeJoins} where t.company_id = company_id() group by 1`.execute(
    tx,
  );
  return new Map(rows.map(({ state, count }) => [state, count]));
}

export async function sumFrozen(tx: Tx): Promise<{ asset: string; decimals: number; minor: bigint }[]> {
  const { rows } = await sql<{ asset: string; decimals: number; minor: bigint }>`
    select t.asset_id as asset, a.decimals, sum(t.frozen) as minor from trade t join asset a on a.id = t.asset_id
    where t.company_id = company_id() and t.frozen > 0 group by 1, 2 order by 1`.execute(tx);
  return rows;
}
