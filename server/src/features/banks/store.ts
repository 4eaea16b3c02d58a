import { sql } from 'kysely';
import type { PlatformTx, Tx } from '../../platform/database/database.ts';
import { invariant } from '../../platform/domain-error.ts';
import type { PlaceNames } from './domain.ts';

/** A currency at a bank; minimum and fee in the currency's minor units. */
export interface BankCurrency {
  asset: string;
  decimals: number;
  minimumMinor: bigint;
  /** Taken from what arrives. */
  rechargeFeeMinor: bigint;
  /** `HH:MM` of the bank's time zone: from then on, a payment counts as of the next working day. */
  cutOff: string;
  /** Working days until it is there. */
  daysLeast: number;
  daysMost: number;
  enabled: boolean;
  /** The operator has switched recharges off for a time; what arrives is credited all the same. */
  rechargesOff: boolean;
}

/** A bank of this installation, switched off ones included, with the currencies there. */
export interface CatalogueBank extends PlaceNames {
  id: string;
  enabled: boolean;
  /** It opens accounts itself and reports deposits from their first sign on: it is reached by an API. */
  opensAccounts: boolean;
  /** IANA. */
  timeZone: string;
  /** Currencies whose working days count for every payment, beside those of its own. */
  calendars: string[];
  currencies: BankCurrency[];
}

type Row = Omit<CatalogueBank, 'currencies' | 'enabled'> & BankCurrency & { bankEnabled: boolean };

/** Every bank and its currencies, in the order of their names. */
export async function findBanks(tx: PlatformTx): Promise<CatalogueBank[]> {
  const { rows } = await sql<Row>`
    select b.id, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", b.enabled as "bankEnabled",
      b.opens_accounts as "opensAccounts",
      b.time_zone as "timeZone", b.calendars, ba.asset_id as asset, a.decimals,
      coalesce(priced.recharge_minimum, ba.recharge_minimum, a.minimum) as "minimumMinor", ba.recharge_fee as "rechargeFeeMinor",
      ba.cut_off as "cutOff", ba.days_least as "daysLeast", ba.days_most as "daysMost", ba.enabled,
      ba.recharges_off as "rechargesOff"
    from bank b join bank_asset ba on ba.bank_id = b.id join asset a on a.id = ba.asset_id
    cross join lateral prices_at(company_id(), ba.asset_id, null, now()) priced
    order by b.name, b.id, ba.asset_id`.execute(tx);
  const banks = new Map<string, CatalogueBank>();
  for (const { id, name, nameZhHk, nameZhCn, bankEnabled, opensAccounts, timeZone, calendars, ...currency } of rows) {
    const named = { id, name, nameZhHk, nameZhCn };
    const bank = banks.get(id) ?? {
      ...named,
      enabled: bankEnabled,
      opensAccounts,
      timeZone,
      calendars,
      currencies: [],
    };
    bank.currencies.push(currency);
    banks.set(id, bank);
  }
  return [...banks.values()];
}

/** What a payer has to write to pay into an account, beside the bank's own details. */
export interface BankAccountDetails {
  holderName: string;
  /** Letters and digits as the bank has them, without spaces or hyphens. */
  accountNumber: string;
  branchCode: string | null;
  /** ISO 13616, without spaces. */
  iban: string | null;
  /** What the bank said of an account that it opened itself: its own id of it, and the institution that keeps it. */
  given?: {
    id: string;
    bankName: string | null;
    bankAddress: string | null;
    bic: string | null;
    clearingCode: string | null;
  };
}

/**
 * Records the company's account in one currency at one bank; harmless when it is recorded already. Asserts that the number belongs to
 * no other account of this bank and currency, of any company.
 */
export async function openBankAccount(
  tx: Tx,
  bankId: string,
  asset: string,
  details: BankAccountDetails,
): Promise<void> {
  const { holderName, accountNumber, branchCode, iban, given } = details;
  await sql`
    insert into bank_account (company_id, bank_id, asset_id, holder_name, account_number, branch_code, iban, given_id, bank_name, bank_address,
      bic, clearing_code)
    values (company_id(), ${bankId}, ${asset}, ${holderName}, ${accountNumber}, ${branchCode}, ${iban}, ${given?.id ?? null},
      ${given?.bankName ?? null}, ${given?.bankAddress ?? null}, ${given?.bic ?? null}, ${given?.clearingCode ?? null})
    on conflict do nothing`.execute(tx);
  const { rows } = await sql<{ accountNumber: string }>`
    select account_number as "accountNumber" from bank_account
    where company_id = company_id() and bank_id = ${bankId} and asset_id = ${asset}`.execute(tx);
  invariant(rows[0]?.accountNumber === accountNumber, `the company has one ${asset} account at ${bankId}`);
}

/**
 * What belongs to the company's account in a currency at a bank beside the account itself: its reference (ISO 11649), the institution that
 * keeps it where that is another, and the address that payers write.
 */
export async function findBankAccount(
  tx: Tx,
  bankId: string,
  asset: string,
): Promise<{ reference: string; bankName: string | null; bankAddress: string }> {
  const { rows } = await sql<{ reference: string; bankName: string | null; bankAddress: string }>`
    select a.reference, nullif(a.bank_name, b.name) as "bankName", coalesce(a.bank_address, b.address) as "bankAddress"
    from bank_account a join bank b on b.id = a.bank_id
    where a.company_id = company_id() and a.bank_id = ${bankId} and a.asset_id = ${asset}`.execute(tx);
  invariant(rows[0], `the company has an ${asset} account at ${bankId}`);
  return rows[0];
}

/** Whether one of these account numbers or IBANs, without spaces, is the company's own. */
export async function isOwnBankAccount(tx: Tx, numbers: readonly string[]): Promise<boolean> {
  const { rows } = await sql`
    select from bank_account where company_id = company_id()
      and (account_number = any (${[...numbers]}::text[]) or iban = any (${[...numbers]}::text[])) limit 1`.execute(tx);
  return rows.length > 0;
}

/** What is on its way to the company's accounts as their banks report it, minor units by bank and currency (`bank/asset`). */
export async function findArriving(tx: Tx): Promise<Map<string, bigint>> {
  const { rows } = await sql<{ place: string; amount: bigint }>`
    select bank_id || '/' || asset_id as place, amount from bank_arriving()`.execute(tx);
  return new Map(rows.map(({ place, amount }) => [place, amount]));
}

/** A deposit as its bank reported it over its API; minor units. */
export interface ReportedDeposit {
  id: string;
  /** The bank's own: PENDING, SETTLED, REJECTED, REVERSED. */
  status: string;
  begunAt: Date;
  statusAt: Date;
  amountMinor: bigint;
  payer: string | null;
  reference: string | null;
}

/**
 * What is on its way to the company's account in a currency at a bank, and what has changed since a moment, the newest first; or the one of
 * an id, whatever its state.
 */
export async function findReportedDeposits(
  tx: Tx,
  { bank, asset }: { bank: string; asset: string },
  wanted: { since: Date; most: number } | { id: string },
): Promise<ReportedDeposit[]> {
  const { since, id, most } = { since: null, id: null, most: 1, ...wanted };
  const { rows } = await sql<ReportedDeposit>`
    select id, status, begun_at as "begunAt", status_at as "statusAt", amount as "amountMinor", payer_name as payer, reference
    from bank_deposits(${bank}, ${asset}, ${since}, ${id}, ${most})`.execute(tx);
  return rows;
}
