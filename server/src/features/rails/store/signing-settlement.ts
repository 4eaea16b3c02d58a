import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import type { LegSide } from '../settlement/domain.ts';

/** What the signer reads for itself of a settlement. Amounts in minor units. */

export interface StoredLeg {
  exchangeId: string;
  side: LegSide;
  /** The seal of its exchange; null where there is none. */
  jws: string | null;
  /** Null where the exchange was not executed. */
  executedSoldMinor: bigint | null;
  executedBoughtMinor: bigint | null;
}

export interface StoredSettlement {
  walletId: string;
  chainId: string;
  coin: string;
  direction: 'in' | 'out';
  amountMinor: bigint;
  legs: readonly StoredLeg[];
}

/** Null where there is none, or it moves no coins. */
export async function readSettlement(tx: PlatformTx, companyId: string, id: string): Promise<StoredSettlement | null> {
  const { rows } = await sql<Omit<StoredSettlement, 'legs'>>`
    select wallet_id as "walletId", chain_id as "chainId", coin, direction, amount as "amountMinor" from settlement
    where company_id = ${companyId}::uuid and id = ${id}::uuid and direction <> 'none'`.execute(tx);
  const [stored] = rows;
  if (!stored) return null;
  const { rows: legs } = await sql<StoredLeg>`
    select l.exchange_id as "exchangeId", l.side, s.jws, e.executed_sold as "executedSoldMinor",
      e.executed_bought as "executedBoughtMinor"
    from settlement_leg l
    left join exchange e on e.company_id = l.company_id and e.transaction_id = l.exchange_id and e.executed_at is not null
    left join exchange_seal s on s.company_id = l.company_id and s.exchange_id = l.exchange_id
    where l.company_id = ${companyId}::uuid and l.settlement_id = ${id}::uuid order by l.exchange_id, l.side`.execute(
    tx,
  );
  return { ...stored, legs };
}

/** What all postings of an exchange come to in a wallet's account `fx`. */
export async function bookedFx(
  tx: PlatformTx,
  companyId: string,
  exchangeId: string,
  walletId: string,
): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    select coalesce(sum(e.amount), 0) as minor from ledger_posting p
    join ledger_entry e on e.company_id = p.company_id and e.posting_id = p.id
    join ledger_account a on a.company_id = e.company_id and a.id = e.account_id
    where p.company_id = ${companyId}::uuid and p.source_id = ${exchangeId}::uuid and a.owner_id = ${walletId}::uuid
      and a.kind = 'fx'`.execute(tx);
  return rows[0]?.minor ?? 0n;
}
