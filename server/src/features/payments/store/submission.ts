import type { BankDetails, HolderKind } from '@causeway/contract/bank-rules.ts';
import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { uuids } from '../../../platform/database/sets.ts';
import type { PlaceNames } from '../../banks/index.ts';

/** Everything that the decision about one payment out of a bank needs of its wallet and payee; amounts in minor units. */
export interface PayoutRow {
  idTaken: boolean;
  bank: string;
  bankNames: PlaceNames;
  timeZone: string;
  calendars: string[];
  cutOff: string;
  daysLeast: number;
  daysMost: number;
  currency: string;
  decimals: number;
  minimumMinor: bigint;
  feeLocalMinor: bigint;
  feeSwiftMinor: bigint;
  transferLimitMinor: bigint | null;
  dailyLimitMinor: bigint | null;
  payoutsPaused: boolean;
  /** The bank takes orders over an API. */
  isByApi: boolean;
  walletUsable: boolean;
  walletFrozen: boolean;
  companyFrozen: boolean;
  companyName: string;
  ownAccount: string;
  availableMinor: bigint;
  availableAccountId: string;
  outboundAccountId: string;
  knownCategory: string | null;
  changedPayeeDays: number;
  at: Date;
  price: { usd: string; updatedAt: Date } | null;
  payee: PayeeRow | null;
}

export interface PayeeRow {
  number: number;
  label: string;
  status: string;
  changedAt: Date | null;
  versionId: string;
  beforeVersionId: string | null;
  /** The account that was asked for is, or was, this payee's. */
  isOfPayee: boolean;
  holder: HolderKind;
  name: string;
  country: string;
  currency: string;
  way: string;
  details: BankDetails;
  account: string;
  verification: 'match' | 'close' | 'none' | 'impossible' | null;
  verifiedName: string | null;
}

type Nullable<T> = { [Key in keyof T]: T[Key] | null };
type Flat = Omit<PayoutRow, 'payee' | 'price'> &
  Nullable<PayeeRow> & { place: number; priceUsd: string | null; priceAt: Date | null; payeeCurrency: string | null };

export interface PayoutQuery {
  id: string | null;
  walletId: string;
  payeeId: string | null;
  /** The account that was asked for; null: whichever the payee has. */
  versionId?: string | null;
  category?: string | null;
}

/** Null when the company has no such wallet at a bank. */
export async function readPayoutRow(tx: Tx, query: PayoutQuery): Promise<PayoutRow | null> {
  const [row] = await readPayoutRows(tx, [{ companyId: tx.companyId, ...query }]);
  return row ?? null;
}

/** The same for several companies, in order. Wallet and payee are looked up one by one (OFFSET 0), whatever the statistics say. */
export async function readPayoutRows(
  tx: CompaniesTx,
  queries: readonly (PayoutQuery & { companyId: string })[],
): Promise<(PayoutRow | null)[]> {
  const { rows } = await sql<Flat>`
    select q.place::integer, w.bank_id as bank, jsonb_build_object('name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn) as "bankNames", b.time_zone as "timeZone", b.calendars, ba.cut_off as "cutOff",
      ba.days_least as "daysLeast", ba.days_most as "daysMost", w.asset_id as currency, a.decimals,
      coalesce(priced.withdrawal_minimum, ba.payout_minimum, a.minimum) as "minimumMinor", coalesce(fees.local, ba.payout_fee_local) as "feeLocalMinor",
      coalesce(fees.swift, ba.payout_fee_swift) as "feeSwiftMinor", priced.transfer_limit as "transferLimitMinor", priced.daily_limit as "dailyLimitMinor",
      ba.payouts_paused or ba.payouts_off as "payoutsPaused", b.opens_accounts as "isByApi",
       b.enabled and ba.enabled and ba.collecting_account is not null as "walletUsable",
      w.frozen_at is not null as "walletFrozen", company.frozen_at is not null as "companyFrozen", company.name as "companyName",
      own.account_number as "ownAccount", available.balance as "availableMinor", available.id as "availableAccountId",
      outbound.id as "outboundAccountId", kept.name as "knownCategory", now() as at,
      coalesce(setting.changed_payee_days, 7) as "changedPayeeDays", r.usd::text as "priceUsd", r.updated_at as "priceAt",
      exists (select from transaction t where t.company_id = q.company_id and t.id = q.id) as "idTaken",
      p.number, p.label, p.status, p.changed_at as "changedAt", v.id as "versionId", v.holder, v.name, v.country,
      v.currency as "payeeCurrency", v.way, v.details, v.account, v.verification, v.verified_name as "verifiedName",
      q.version_id is null or exists (select from bank_payee_version e
        where e.company_id = q.company_id and e.id = q.version_id and e.payee_id = p.id) as "isOfPayee",
      (select e.id from bank_payee_version e where e.company_id = q.company_id and e.payee_id = p.id and e.id <> v.id
        order by e.created_at desc, e.id desc limit 1) as "beforeVersionId"
    from unnest(${uuids(queries.map(({ companyId }) => companyId))}, ${queries.map(({ id }) => id)}::uuid[],
      ${queries.map(({ walletId }) => walletId)}::uuid[], ${queries.map(({ payeeId }) => payeeId)}::uuid[],
      ${queries.map(({ versionId }) => versionId ?? null)}::uuid[], ${queries.map(({ category }) => category ?? null)}::text[])
      with ordinality as q (company_id, id, wallet_id, payee_id, version_id, category, place)
    cross join lateral (select * from wallet w where w.company_id = q.company_id and w.id = q.wallet_id offset 0) w
    join asset a on a.id = w.asset_id
    join bank b on b.id = w.bank_id
    join bank_asset ba on ba.bank_id = w.bank_id and ba.asset_id = w.asset_id
    join bank_account own on own.company_id = w.company_id and own.bank_id = w.bank_id and own.asset_id = w.asset_id
    cross join lateral prices_at(w.company_id, w.asset_id, null, now()) priced
    cross join lateral payout_fees_at(w.company_id, w.asset_id, w.bank_id, now()) fees
    join company on company.company_id = w.company_id
    left join company_setting setting on setting.company_id = w.company_id
    join ledger_account available
      on available.company_id = w.company_id and available.owner_id = w.id and available.kind = 'available'
    join ledger_account outbound
      on outbound.company_id = w.company_id and outbound.owner_id = w.id and outbound.kind = 'outbound'
    left join rate r on r.asset_id = w.asset_id
    left join lateral (
      select * from bank_payee p where p.company_id = q.company_id and p.id = q.payee_id offset 0
    ) p on true
    left join lateral (
      select * from bank_payee_version v where v.company_id = q.company_id and v.id = p.version_id offset 0
    ) v on true
    left join lateral (
      select name from transaction_category k where k.company_id = q.company_id and lower(k.name) = lower(q.category) offset 0
    ) kept on true`.execute(tx);
  const found: (PayoutRow | null)[] = queries.map(() => null);
  for (const row of rows) found[row.place - 1] = rowOf(row);
  return found;
}

function rowOf(flat: Flat): PayoutRow {
  const { place: _, priceUsd, priceAt, payeeCurrency, ...rest } = flat;
  const {
    number,
    label,
    status,
    changedAt,
    versionId,
    beforeVersionId,
    isOfPayee,
    holder,
    name,
    country,
    way,
    details,
    account,
  } = flat;
  const price = priceUsd === null || priceAt === null ? null : { usd: priceUsd, updatedAt: priceAt };
  const isThere = versionId !== null && payeeCurrency !== null;
  const given = {
    number,
    label,
    status,
    changedAt,
    versionId,
    beforeVersionId,
    isOfPayee,
    holder,
    name,
    country,
    way,
    details,
  };
  const { verification, verifiedName } = flat;
  const payee = isThere
    ? ({ ...given, account, currency: payeeCurrency, verification, verifiedName } as PayeeRow)
    : null;
  return { ...rest, currency: flat.currency as string, price, payee };
}
