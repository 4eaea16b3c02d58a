import { sql } from 'kysely';
import type { PlatformTx } from '../../platform/database/database.ts';
import { treasuryOwner } from '../chains/index.ts';
import { nilCompany } from '../identity/index.ts';
import { frozenReason } from './freezing/store.ts';

/** The operator's role reads across companies; it writes only what it governs. Amounts in minor units. */

export interface AssetRow {
  chainId: string;
  coin: string;
  decimals: number;
  minimumMinor: bigint;
  feeMinor: bigint;
  enabled: boolean;
}

export async function findAssetRows(tx: PlatformTx): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select ca.chain_id as "chainId", ca.coin, a.decimals, coalesce(priced.withdrawal_minimum, a.minimum) as "minimumMinor",
      coalesce(priced.withdrawal_fee, ca.withdraw_fee) as "feeMinor",
      ca.enabled and c.enabled and not ca.withdrawals_paused and not c.paused as enabled
    from chain_asset ca join asset a on a.id = ca.coin join chain c on c.id = ca.chain_id
    cross join lateral prices_at(${nilCompany}, ca.coin, ca.chain_id, now()) priced
    order by ca.chain_id, ca.coin`.execute(tx);
  return rows;
}

/** A coin or a currency; null when there is none of this symbol. */
export async function findAsset(
  tx: PlatformTx,
  asset: string,
): Promise<{ asset: string; decimals: number; minimumMinor: bigint } | null> {
  const { rows } = await sql<{ asset: string; decimals: number; minimumMinor: bigint }>`
    select a.id as asset, a.decimals, coalesce(priced.withdrawal_minimum, a.minimum) as "minimumMinor"
    from asset a cross join lateral prices_at(${nilCompany}, a.id, null, now()) priced where a.id = ${asset}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

export interface StuckRow {
  companyId: string;
  company: string;
  id: string;
  stage: string;
  since: Date;
  chainId: string;
  coin: string;
  decimals: number;
  quantityMinor: bigint;
  payee: string | null;
  hash: string | null;
  walletFrozen: boolean;
  companyFrozen: boolean;
  /** The chain, or withdrawals of the coin on it. */
  isSwitchedOff: boolean;
  /** The company's own address on the chain; null before anything was given a nonce. */
  fromAddress: string | null;
  isSigned: boolean;
  isMined: boolean;
  /** Some node has taken it. */
  isOffered: boolean;
  /** By an empty transaction, made or wanted by operators. */
  isReplaced: boolean;
  /** Another transaction has used its nonce for good, or a coin that it spends is gone. */
  isSuperseded: boolean;
  /** An output that it spends and no node has, `hash:index`, since when, and what a block has in its place, where that is known. */
  lost: { input: string; since: string; replacedBy: string | null } | null;
  isHeld: boolean;
  isTankHeld: boolean;
  /** Its coins are to come from the treasury first. */
  /** Coins that it waits for: the platform owes them, or they are at further addresses of the company. */
  waitsFor: 'exchanged' | 'swept' | null;
  /** The network fee is on its way from the gas tank. */
  isGasComing: boolean;
  /** The transfer before it in its address's queue that no block has; null when it is itself the first. */
  behind: string | null;
  /**
   * By how much the chain holds less for this wallet than it and those before it are to pay; 0 when there is enough. Only a
   * reorganisation deeper than the chain's depth brings that about: it took a deposit back that was already spent.
   */
  missingMinor: bigint;
}

/** Transfers, and settlements, that have been at one stage for longer than this, the longest first; with or without those that wait for approval. */
export async function findStuck(
  tx: PlatformTx,
  { minutes, most, withApprovals }: { minutes: number; most: number; withApprovals: boolean },
): Promise<StuckRow[]> {
  const { rows } = await sql<StuckRow>`
    select t.company_id as "companyId", company.name as company, t.id, t.stage, t.stage_at as since,
      t.chain_id as "chainId", t.coin, a.decimals, t.quantity as "quantityMinor", t.payee_account as payee, placed.hash,
      w.frozen_at is not null as "walletFrozen", company.frozen_at is not null as "companyFrozen",
      coalesce(c.paused or ca.withdrawals_paused, false) as "isSwitchedOff", sent.from_address as "fromAddress",
      coalesce(sent.is_signed, false) as "isSigned", coalesce(sent.is_mined, false) as "isMined",
      coalesce(sent.is_offered, false) as "isOffered", coalesce(sent.is_replaced, false) as "isReplaced",
      exists (select from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer'
        and s.superseded_at is not null) and sent.nonce is null as "isSuperseded",
      (select jsonb_build_object('input', l.hash || ':' || l.index, 'replacedBy', l.replaced_by,
          'since', to_char(l.lost_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"'))
        from bitcoin_lost_coin l where l.company_id = t.company_id and l.payment_id = t.id
        order by l.replaced_by is null, l.lost_at limit 1) as lost,
      exists (select from sender_hold h where h.chain_id = t.chain_id
        and h.company_id = case when t.type = 'fx_settlement_in' then ${treasuryOwner}::uuid else t.company_id end) as "isHeld",
      exists (select from sender_hold h where h.company_id = ${nilCompany} and h.chain_id = t.chain_id) as "isTankHeld",
      (select x.cause from settlement_wait x where x.company_id = t.company_id and x.transaction_id = t.id) as "waitsFor",
      exists (select from chain_send s where s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'gas'
        and s.final_at is null and s.mined_block is null) as "isGasComing",
      ahead.id as behind,
      case when sent.is_mined or t.direction = 'in' or t.type = 'chain_sweep' then 0 else greatest(0, coalesce(owed.amount - held.amount, 0)) end as "missingMinor"
    from transaction t
    left join transaction_chain placed on placed.company_id = t.company_id and placed.transaction_id = t.id
    join company on company.company_id = t.company_id
    join asset a on a.id = t.coin
    left join chain c on c.id = t.chain_id
    left join chain_asset ca on ca.chain_id = t.chain_id and ca.coin = t.coin
    join wallet w on w.company_id = t.company_id and w.id = t.wallet_id
    left join lateral (
      select s.from_address, s.nonce, bool_or(s.raw is not null) as is_signed, bool_or(s.mined_block is not null) as is_mined,
        bool_or(s.first_broadcast_at is not null) as is_offered, bool_or(s.is_empty or s.empty_wanted_at is not null) as is_replaced
      from chain_send s
      where s.company_id = t.company_id and s.transfer_id = t.id and s.kind = 'transfer' and s.final_at is null
      group by s.from_address, s.nonce
    ) sent on true
    left join lateral (
      select s.transfer_id as id from chain_send s
      where s.chain_id = t.chain_id and s.from_address = sent.from_address and s.final_at is null and s.nonce < sent.nonce
      group by s.transfer_id, s.nonce having not bool_or(s.mined_block is not null)
      order by s.nonce limit 1
    ) ahead on true
    left join lateral (
      select sum(x.quantity) as amount from transaction x
      where x.company_id = t.company_id and x.wallet_id = t.wallet_id and x.status = 'pending' and x.direction = 'out'
        -- What a sweep moves stays in the wallet.
        and x.type <> 'chain_sweep'
        and exists (select from chain_send s where s.company_id = x.company_id and s.transfer_id = x.id
          and s.kind = 'transfer' and s.final_at is null and s.nonce <= sent.nonce)
    ) owed on true
    left join lateral (
      select -a.balance as amount from ledger_account a
      where a.company_id = t.company_id and a.owner_id = t.wallet_id and a.kind = 'chain'
    ) held on true
    where t.status = 'pending' and (t.direction = 'out' or t.type = 'fx_settlement_in') and t.stage_at < now() - make_interval(mins => ${minutes})
      and (${withApprovals} or t.stage <> 'waiting_approval') and t.stage <> 'waiting_rate'
      -- What the treasury is short of has an item of its own.
      and not (t.type = 'fx_settlement_in' and sent.from_address is null
        and exists (select from treasury_short x where x.chain_id = t.chain_id and x.coin = t.coin))
    order by t.stage_at limit ${most}`.execute(tx);
  return rows;
}

export interface OperatorWallet {
  companyId: string;
  company: string;
  id: string;
  asset: string;
  /** The chain or the bank. */
  place: string;
  /** The address on the chain, or the account number at the bank. */
  account: string;
  frozenAt: Date | null;
  frozenReason: string | null;
}

/** Wallets of one company, or those frozen of all; one when its id is named. */
export async function findOperatorWallets(
  tx: PlatformTx,
  which: { companyId?: string; frozen?: boolean; id?: string },
): Promise<OperatorWallet[]> {
  const { companyId = null, frozen = false, id = null } = which;
  const { rows } = await sql<OperatorWallet>`
    select w.company_id as "companyId", company.name as company, w.id, w.asset_id as asset,
      coalesce(w.chain_id, w.bank_id) as place, coalesce(own.address, b.account_number) as account, w.frozen_at as "frozenAt", ${frozenReason} as "frozenReason"
    from wallet w
    join company on company.company_id = w.company_id
    left join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    left join bank_account b on b.company_id = w.company_id and b.bank_id = w.bank_id and b.asset_id = w.asset_id
    where (${companyId}::uuid is null or w.company_id = ${companyId}) and (${id}::uuid is null or w.id = ${id})
      and (not ${frozen}::boolean or w.frozen_at is not null)
    order by company.name, w.company_id, w.bank_id is not null, place, w.asset_id limit 1000`.execute(tx);
  return rows;
}
