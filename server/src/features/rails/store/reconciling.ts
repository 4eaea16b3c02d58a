import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** One wallet's balances by kind of account, in minor units, and the company's addresses on the chain, which hold it. */
export interface WalletBooks {
  companyId: string;
  walletId: string;
  chainId: string;
  coin: string;
  contract: string | null;
  addresses: string[];
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  escrowMinor: bigint;
  feeMinor: bigint;
  gasMinor: bigint;
  deficitMinor: bigint;
  fxMinor: bigint;
}

export async function walletBooks(tx: PlatformTx, chainId: string): Promise<WalletBooks[]> {
  const { rows } = await sql<WalletBooks>`
    with account as (
      select company_id, owner_id,
        coalesce(sum(balance) filter (where kind = 'available'), 0) as available,
        coalesce(sum(balance) filter (where kind = 'outbound'), 0) as outbound,
        coalesce(sum(balance) filter (where kind = 'inbound'), 0) as inbound,
        coalesce(sum(balance) filter (where kind = 'escrow'), 0) as escrow,
        coalesce(sum(balance) filter (where kind = 'fee'), 0) as fee,
        coalesce(sum(balance) filter (where kind = 'gas'), 0) as gas,
        coalesce(sum(balance) filter (where kind = 'deficit'), 0) as deficit,
        coalesce(sum(balance) filter (where kind = 'fx'), 0) as fx
      from ledger_account group by company_id, owner_id
    )
    select w.company_id as "companyId", w.id as "walletId", w.chain_id as "chainId", w.asset_id as coin, ca.contract,
      array(select o.address from chain_own_address o
        where o.company_id = w.company_id and o.chain_id = w.chain_id order by o.ordinal) as addresses,
      a.available as "availableMinor", a.outbound as "outboundMinor", a.inbound as "inboundMinor", a.escrow as "escrowMinor", a.fee as "feeMinor",
      a.gas as "gasMinor", a.deficit as "deficitMinor", a.fx as "fxMinor"
    from wallet w
    join account a on a.company_id = w.company_id and a.owner_id = w.id
    join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.asset_id
    where w.chain_id = ${chainId} order by w.company_id, w.asset_id`.execute(tx);
  return rows;
}

/** A payment that a block has and that is not final: its effect on the address is not posted yet. */
export interface UnsettledPayment {
  companyId: string;
  /** `arrives`: from the platform's own address; nothing else of it moves the company's. */
  kind: 'transfer' | 'arrives';
  coin: string;
  amountMinor: bigint;
  hash: string;
  /** What of the network fee is this payment's, where its transaction makes several; otherwise null, and all of it is. */
  shareMinor: bigint | null;
}

export async function unsettledPayments(tx: PlatformTx, chainId: string, upTo: number): Promise<UnsettledPayment[]> {
  const { rows } = await sql<UnsettledPayment>`
    select s.company_id as "companyId", case when s.kind = 'gas' or t.type = 'fx_settlement_in' then 'arrives' else 'transfer' end as kind,
      case s.kind when 'gas' then c.native_coin else t.coin end as coin,
      -- A sweep leaves the company's coins where they are, and costs its network fee.
      case when t.type = 'chain_sweep' and s.kind = 'transfer' then 0 else s.amount end as "amountMinor", s.hash,
      (select (j ->> 'shareMinor')::numeric from jsonb_array_elements(s.plan -> 'joined') j
        where j ->> 'paymentId' = s.payment_id::text) as "shareMinor"
    from chain_send s
    join transaction t on t.company_id = s.company_id and t.id = s.transfer_id
    join chain c on c.id = s.chain_id
    where s.chain_id = ${chainId} and s.final_at is null and s.mined_block is not null
      and s.mined_block <= ${upTo} and not (s.kind = 'gas' and t.type = 'fx_settlement_in')`.execute(tx);
  return rows;
}
