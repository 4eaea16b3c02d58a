import type { BankDetails, HolderKind } from '@causeway/contract/bank-rules.ts';
import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';
import type { ChainFamilies } from '../../chains/index.ts';

/** What rows can name: the company's wallets and its saved payees. */

export interface DirectoryWallet {
  id: string;
  asset: string;
  decimals: number;
  /** What it is called at the place, in the language of whom it is shown to. */
  chain: { id: string; name: string; family: string } | null;
  bank: { id: string; names: string[]; accounts: string[]; isByApi: boolean } | null;
}

export interface CryptoPayeeEntry {
  id: string;
  label: string;
  chainId: string;
  coin: string;
  address: string;
}

export interface BankPayeeEntry {
  id: string;
  versionId: string;
  label: string;
  name: string;
  /** The name's likeness, as payees are compared by it. */
  likeness: string;
  country: string;
  currency: string;
  holder: HolderKind;
  way: string;
  details: BankDetails;
  /** What the account may be called: its number alone, with the bank's before it, its IBAN. */
  names: string[];
}

export interface Directory {
  families: ChainFamilies;
  wallets: DirectoryWallet[];
  cryptoPayees: CryptoPayeeEntry[];
  bankPayees: BankPayeeEntry[];
}

/** Payees that are deleted or were not approved are not in it; those that wait are, and their rows wait with them. */
export async function readDirectory(tx: Tx, families: ChainFamilies): Promise<Directory> {
  const { rows: wallets } = await sql<DirectoryWallet>`
    select w.id, w.asset_id as asset, a.decimals,
      case when w.chain_id is not null then jsonb_build_object('id', c.id, 'name', c.name, 'family', c.family) end as chain,
      case when w.bank_id is not null then jsonb_build_object('id', b.id,
        'names', jsonb_build_array(b.name, coalesce(b.name_zh_hk, b.name), coalesce(b.name_zh_cn, b.name), coalesce(account.bic, b.bic)),
        'accounts', jsonb_build_array(account.account_number, coalesce(account.iban, account.account_number)),
        'isByApi', b.opens_accounts) end as bank
    from wallet w join asset a on a.id = w.asset_id
    left join chain c on c.id = w.chain_id
    left join bank b on b.id = w.bank_id
    left join bank_account account on account.company_id = w.company_id and account.bank_id = w.bank_id and account.asset_id = w.asset_id
    where w.company_id = company_id() order by w.asset_id, c.id, b.id`.execute(tx);
  const { rows: cryptoPayees } = await sql<CryptoPayeeEntry>`
    select id, label, chain_id as "chainId", coin, address from crypto_payee
    where company_id = company_id() and deleted_at is null and approval <> 'rejected'`.execute(tx);
  const { rows: bankPayees } = await sql<BankPayeeEntry>`
    select p.id, p.version_id as "versionId", p.label, v.name, p.likeness, p.country, p.currency, v.holder, v.way, v.details,
      p.account_names as names
    from bank_payee p join bank_payee_version v on v.company_id = p.company_id and v.id = p.version_id
    where p.company_id = company_id() and p.deleted_at is null and p.approval <> 'rejected'`.execute(tx);
  return { families, wallets, cryptoPayees, bankPayees };
}
