import { listTrades } from '@causeway/contract/trades.ts';
import type { TradeSide, TradeState } from '@causeway/contract/trades-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { shownActor, shownState, tradeJoins } from './shown.ts';
import { tradeColumns } from './trades.ts';

export const tradeList = defineList(listTrades, {
  from: () => tradeJoins,
  where: () => sql`t.company_id = company_id()`,
  filters: {
    state: (state) => sql`${shownState} = ${state}`,
    side: (side) => sql`t.side = ${side}`,
    search(words) {
      const sought = words.trim().toLowerCase();
      if (sought === '') return null;
      return sql`strpos(lower(concat_ws(' ', t.number, t.bill_of_lading, t.payer_name, t.payee_name, t.payer_wallet, t.payee_wallet, sums.hash)), ${sought}) > 0`;
    },
    actor: (actor) => sql`${shownActor} = ${actor}`,
    asset: (asset) => sql`t.asset_id = ${asset}`,
    chain: (chain) => sql`t.chain_id = ${chain}`,
  },
  columns: () => tradeColumns,
  orders: {
    time: { by: sql`t.updated_at`, kind: 'time' },
    deadline: { by: sql`coalesce(t.act_by, '9999-12-31'::timestamptz)`, kind: 'time' },
  },
  first: { sort: 'time', order: 'desc' },
  id: sql`t.id`,
});

export interface StateSum {
  state: TradeState;
  side: TradeSide;
  asset: string;
  decimals: number;
  count: number;
  minor: bigint;
}

/** How many trades are in each state on each side, and their amounts by asset. */
export async function sumByState(tx: Tx): Promise<StateSum[]> {
  const { rows } = await sql<StateSum>`
    select ${shownState} as state, t.side, t.asset_id as asset, a.decimals, count(*), sum(t.quantity) as minor
    from ${tradeJoins} where t.company_id = company_id() group by 1, 2, 3, 4 order by 2, 3`.execute(tx);
  return rows;
}

export async function sumFrozen(tx: Tx): Promise<{ asset: string; decimals: number; minor: bigint }[]> {
  const { rows } = await sql<{ asset: string; decimals: number; minor: bigint }>`
    select t.asset_id as asset, a.decimals, sum(t.frozen) as minor from trade t join asset a on a.id = t.asset_id
    where t.company_id = company_id() and t.frozen > 0 group by 1, 2 order by 1`.execute(tx);
  return rows;
}
