import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** What the treasury has promised, and of what it has too little. Amounts in minor units. */

export interface TreasuryFunds {
  nativeCoin: string;
  /** What network fees are paid with, at the end of the newest block that was read. */
  native: { minor: bigint; height: number };
  /** The coin that is paid, at the end of the newest block that is final: what came later may vanish with its block. */
  coin: { minor: bigint; height: number };
}

/**
 * What the treasury's payments take that no block up to a height has: of a coin, and in network fees at most, whichever company they are
 * for.
 */
export async function promisedBy(
  tx: Tx,
  { chainId, address, coin, height }: { chainId: string; address: string; coin: string; height: number },
): Promise<{ coinMinor: bigint; feeWei: bigint }> {
  const { rows } = await sql<{ coinMinor: bigint; feeWei: bigint }>`
    select coalesce(sum(p.amount) filter (where s.coin = ${coin}), 0) as "coinMinor", coalesce(sum(p.fee), 0) as "feeWei"
    from (
      select company_id, transfer_id, payment_id, max(amount) as amount, max(gas_limit * max_fee_per_gas) as fee
      from chain_send where chain_id = ${chainId} and from_address = ${address} and superseded_at is null
        and (final_at is null or mined_block > ${height})
      group by 1, 2, 3 having not bool_or(mined_block is not null and mined_block <= ${height})
    ) p join settlement s on s.company_id = p.company_id and s.id = p.transfer_id`.execute(tx);
  return rows[0] ?? { coinMinor: 0n, feeWei: 0n };
}

/** Writes that the treasury has too little of a coin, for what all its unsigned settlements come to. */
export async function noteShort(tx: PlatformTx, chainId: string, coin: string, freeMinor: bigint): Promise<void> {
  await sql`
    insert into treasury_short (chain_id, coin, free, needed)
    select ${chainId}, ${coin}, ${freeMinor.toString()}::numeric, (${neededOf(chainId, coin)})
    on conflict (chain_id, coin) do update set free = excluded.free, needed = excluded.needed, seen_at = now()`.execute(
    tx,
  );
}

export async function clearShort(tx: PlatformTx, chainId: string, coin: string): Promise<void> {
  await sql`delete from treasury_short where chain_id = ${chainId} and coin = ${coin}`.execute(tx);
}

/** What settlements come to of which no attempt was made, for all companies. */
function neededOf(chainId: string, coin: string) {
  return sql`select coalesce(sum(s.amount), 0) from settlement s
    where s.chain_id = ${chainId} and s.coin = ${coin} and s.direction = 'in'
      and not exists (select from chain_send c where c.company_id = s.company_id and c.payment_id = s.id)`;
}

/** Writes that the signer refused a settlement because the treasury has paid as much of its coin in a day as the signer allows. */
export async function noteCapped(tx: Tx, settlementId: string): Promise<void> {
  await sql`
    insert into settlement_capped (company_id, settlement_id) values (company_id(), ${settlementId})
    on conflict do nothing`.execute(tx);
}
