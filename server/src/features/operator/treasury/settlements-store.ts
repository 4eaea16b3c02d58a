import { listSettlements } from '@causeway/contract/operator-treasury.ts';
import type { settlementDirections } from '@causeway/contract/operator-treasury-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { treasuryOwner } from '../../chains/index.ts';

/** The treasury and what exchanges owe, across companies. Amounts in minor units. */

export interface TreasuryCoinRow {
  chainId: string;
  address: string;
  coin: string;
  decimals: number;
  balanceMinor: bigint | null;
  readAt: Date | null;
  /** What companies are owed, and what at their addresses is the platform's; both positive. */
  owedMinor: bigint;
  dueMinor: bigint;
  inMinor: bigint;
  outMinor: bigint;
  missingMinor: bigint | null;
}

export async function findTreasuryCoins(tx: PlatformTx): Promise<TreasuryCoinRow[]> {
  const { rows } = await sql<TreasuryCoinRow>`
    with fx as (
      select w.chain_id, w.asset_id, -coalesce(sum(l.balance) filter (where l.balance < 0), 0) as owed,
        coalesce(sum(l.balance) filter (where l.balance > 0), 0) as due
      from ledger_account l join wallet w on w.company_id = l.company_id and w.id = l.owner_id
      where l.kind = 'fx' and l.balance <> 0 and w.chain_id is not null group by 1, 2
    ), moving as (
      select chain_id, coin, coalesce(sum(quantity) filter (where type = 'fx_settlement_in'), 0) as ins,
        coalesce(sum(quantity) filter (where type = 'fx_settlement_out'), 0) as outs
      from transaction where type in ('fx_settlement_in', 'fx_settlement_out') and status = 'pending' group by 1, 2
    )
    select o.chain_id as "chainId", o.address, ca.coin, a.decimals, b.balance as "balanceMinor", b.read_at as "readAt",
      coalesce(f.owed, 0) as "owedMinor", coalesce(f.due, 0) as "dueMinor", coalesce(m.ins, 0) as "inMinor", coalesce(m.outs, 0) as "outMinor",
      case when s.coin is not null then greatest(s.needed - s.free, 0) end as "missingMinor"
    from chain_address o
    join chain_asset ca on ca.chain_id = o.chain_id join asset a on a.id = ca.coin
    left join treasury_balance b on b.chain_id = ca.chain_id and b.coin = ca.coin
    left join fx f on f.chain_id = ca.chain_id and f.asset_id = ca.coin
    left join moving m on m.chain_id = ca.chain_id and m.coin = ca.coin
    left join treasury_short s on s.chain_id = ca.chain_id and s.coin = ca.coin
    where o.company_id = ${treasuryOwner}::uuid order by o.chain_id, ca.coin`.execute(tx);
  return rows;
}

export interface BankPositionRow {
  asset: string;
  decimals: number;
  owedMinor: bigint;
  dueMinor: bigint;
}

/** What exchanges owe at banks, by currency, where they owe anything. */
export async function findBankPositions(tx: PlatformTx): Promise<BankPositionRow[]> {
  const { rows } = await sql<BankPositionRow>`
    select w.asset_id as asset, a.decimals, -coalesce(sum(l.balance) filter (where l.balance < 0), 0) as "owedMinor",
      coalesce(sum(l.balance) filter (where l.balance > 0), 0) as "dueMinor"
    from ledger_account l join wallet w on w.company_id = l.company_id and w.id = l.owner_id join asset a on a.id = w.asset_id
    where l.kind = 'fx' and l.balance <> 0 and w.bank_id is not null group by 1, 2 order by 1`.execute(tx);
  return rows;
}

export interface SettlementRow {
  id: string;
  companyId: string;
  companyName: string;
  chainId: string;
  chainName: string;
  explorerUrl: string | null;
  coin: string;
  decimals: number;
  amountMinor: bigint;
  direction: (typeof settlementDirections)[number];
  legs: number;
  stage: string | null;
  hash: string | null;
  failureReason: string | null;
  at: Date;
}

export const settlementList = defineList(listSettlements, {
  from: () => sql`settlement s join chain c on c.id = s.chain_id join asset a on a.id = s.coin
    left join company y on y.company_id = s.company_id
    left join transaction t on t.company_id = s.company_id and t.id = s.id
    left join transaction_chain x on x.company_id = t.company_id and x.transaction_id = t.id`,
  where: () => sql`true`,
  filters: {},
  columns: () =>
    sql`s.id, s.company_id as "companyId", coalesce(y.name, '') as "companyName", s.chain_id as "chainId", c.name as "chainName",
      c.explorer_url as "explorerUrl", s.coin, a.decimals, s.amount as "amountMinor", s.direction,
      (select count(*)::integer from settlement_leg l where l.company_id = s.company_id and l.settlement_id = s.id) as legs,
      t.stage, x.hash, t.failure_reason as "failureReason", s.created_at as at` as RawBuilder<SettlementRow>,
  orders: { time: { by: sql`s.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`s.id`,
});
