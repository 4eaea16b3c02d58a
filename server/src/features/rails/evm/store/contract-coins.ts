import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';

/** What contracts sent, as far as it is recorded, and what moved an address's balance of the chain's own coin. */

/** The company's standing deposits to an address in one block that only traces or balances show; amounts in wei. */
export async function contractDeposits(
  tx: Tx,
  chainId: string,
  blockHash: string,
  address: string,
): Promise<{ hash: string; output: string; amountMinor: bigint }[]> {
  const { rows } = await sql<{ hash: string; output: string; amountMinor: bigint }>`
    select d.hash, d.output, t.quantity as "amountMinor"
    from deposit d join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
    where d.company_id = company_id() and d.chain_id = ${chainId} and d.block_hash = ${blockHash}
      and (d.output like 'internal:%' or d.output like 'balance:%') and d.state in ('inbound', 'credited')
      and t.payee_account = ${address}`.execute(tx);
  return rows;
}

/** A movement of the address's native coin: a deposit with its amount, or a payment whose receipt says what it did. */
export type NativeMovement =
  | { kind: 'deposit'; height: number; amountMinor: bigint }
  | { kind: 'transfer' | 'gas'; height: number; amountMinor: bigint; isNative: boolean; hash: string };

/** What is recorded of one address of the company in the blocks above `low` up to `high`. */
export async function nativeMovements(
  tx: Tx,
  { chainId, address }: { chainId: string; address: string },
  low: number,
  high: number,
): Promise<NativeMovement[]> {
  const { rows } = await sql<NativeMovement>`
    select 'deposit' as kind, d.block_number as height, t.quantity as "amountMinor", true as "isNative", d.hash
    from deposit d join transaction t on t.company_id = d.company_id and t.id = d.transaction_id
    join chain c on c.id = d.chain_id and c.native_coin = t.coin
    where d.company_id = company_id() and d.chain_id = ${chainId} and d.state in ('inbound', 'credited')
      and d.block_number > ${low} and d.block_number <= ${high} and t.payee_account = ${address}
    union all
    -- Arrives like an advance: what the treasury settles, and a sweep where it goes to. An advance goes to where its payment is from.
    select m.kind, m.height, m.amount, m.is_native, m.hash from (
      select s.company_id, s.chain_id, s.mined_block as height, s.amount, s.hash,
        case when s.kind = 'gas' or t.type = 'fx_settlement_in' or e.arrives then 'gas' else s.kind end as kind,
        s.kind = 'gas' or c.native_coin = t.coin as is_native,
        case when s.kind = 'gas' then case t.type when 'chain_sweep' then t.payer_account when 'fx_settlement_in' then null else a.address end
          when t.type = 'fx_settlement_in' then case when c.native_coin = t.coin then a.address end
          when e.arrives then case when c.native_coin = t.coin then t.payee_account end
          else s.from_address end as address
      from chain_send s join transaction t on t.company_id = s.company_id and t.id = s.transfer_id
      join chain c on c.id = s.chain_id
      join chain_address a on a.company_id = s.company_id and a.chain_id = s.chain_id
      cross join lateral (select false as arrives union all select true where t.type = 'chain_sweep' and s.kind = 'transfer') e
      where s.company_id = company_id() and s.chain_id = ${chainId} and s.mined_block > ${low} and s.mined_block <= ${high}
    ) m where m.address = ${address}`.execute(tx);
  return rows;
}

/** The companies that have anything recorded in these blocks. */
export async function companiesMoved(tx: PlatformTx, chainId: string, low: number, high: number): Promise<Set<string>> {
  const { rows } = await sql<{ companyId: string }>`
    select company_id as "companyId" from deposit
    where chain_id = ${chainId} and state in ('inbound', 'credited') and block_number > ${low} and block_number <= ${high}
    union
    select company_id from chain_send
    where chain_id = ${chainId} and mined_block > ${low} and mined_block <= ${high}`.execute(tx);
  return new Set(rows.map(({ companyId }) => companyId));
}
