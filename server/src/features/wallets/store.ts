import { sql } from 'kysely';
import type { Tx } from '../../platform/database/database.ts';
import type { PlaceNames } from '../banks/index.ts';
import { type FreezeRow, freezeColumn } from '../identity/index.ts';

/** A wallet as it is opened: one asset at one place, exactly one of `chain` and `bank`; the minimum in minor units. */
export interface WalletRow {
  id: string;
  asset: string;
  decimals: number;
  minimumMinor: bigint;
  frozen: boolean;
  /** By the operator, for every company. */
  withdrawalsPaused: boolean;
  depositsPaused: boolean;
  /** By the operator. */
  freeze: FreezeRow | null;
  chain: { id: string; name: string; address: string } | null;
  bank: WalletBank | null;
}

/** The bank and the company's account there. */
export interface WalletBank extends PlaceNames {
  id: string;
  country: string;
  bic: string;
  clearingCode: string | null;
  holder: string;
  number: string;
  branchCode: string | null;
  iban: string | null;
}

/** The assets of which the company has a wallet anywhere, coins before currencies. */
export async function findHeldAssets(tx: Tx): Promise<string[]> {
  const { rows } = await sql<{ asset: string }>`
    select w.asset_id as asset from wallet w join asset a on a.id = w.asset_id
    where w.company_id = company_id() group by w.asset_id, a.kind order by a.kind, w.asset_id`.execute(tx);
  return rows.map(({ asset }) => asset);
}

/** The company's wallets, chains before banks, in the order of place and asset; only one when an id is named. */
export async function findWallets(tx: Tx, id: string | null = null): Promise<WalletRow[]> {
  const { rows } = await sql<WalletRow>`
    select w.id, w.asset_id as asset, a.decimals, coalesce(priced.withdrawal_minimum, ba.payout_minimum, a.minimum) as "minimumMinor",
      w.frozen_at is not null as frozen, coalesce(ca.withdrawals_paused or c.paused, ba.payouts_paused or ba.payouts_off, false) as "withdrawalsPaused",
      coalesce(ca.deposits_paused or c.paused, ba.recharges_off, false) as "depositsPaused",
      ${freezeColumn('wallet', sql`w.id`)} as freeze,
      case when w.chain_id is not null then
        jsonb_build_object('id', c.id, 'name', c.name, 'address', receiving_address(c.id)) end as chain,
      case when w.bank_id is not null then
        jsonb_build_object('id', b.id, 'name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn,
          'country', b.country, 'bic', coalesce(account.bic, b.bic),
          'clearingCode', case when account.given_id is null then b.clearing_code else account.clearing_code end, 'holder', account.holder_name,
          'number', account.account_number, 'branchCode', account.branch_code, 'iban', account.iban) end as bank
    from wallet w
    join asset a on a.id = w.asset_id
    cross join lateral prices_at(w.company_id, w.asset_id, w.chain_id, now()) priced
    left join chain c on c.id = w.chain_id
    left join chain_asset ca on ca.chain_id = w.chain_id and ca.coin = w.asset_id
    left join bank b on b.id = w.bank_id
    left join bank_asset ba on ba.bank_id = w.bank_id and ba.asset_id = w.asset_id
    left join bank_account account on account.company_id = w.company_id and account.bank_id = w.bank_id
      and account.asset_id = w.asset_id
    where w.company_id = company_id() and (${id}::uuid is null or w.id = ${id})
    order by w.bank_id is not null, c.name, c.id, ca.contract is not null, b.name, b.id, w.asset_id`.execute(tx);
  return rows;
}
