import type { BankProblem, bankOrderStates } from '@causeway/contract/operator-banks-rules.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** The registry of banks and their connections, as the console reads them. Amounts in minor units. */

export interface BankRow {
  id: string;
  name: string;
  nameZhHk: string | null;
  nameZhCn: string | null;
  country: string;
  bic: string;
  clearingSystem: string | null;
  clearingCode: string | null;
  timeZone: string;
  /** Currencies whose working days count for every payment to it. */
  calendars: string[];
  address: string;
  enabled: boolean;
  prefix: string | null;
  digits: number | null;
  /** Numbers that were given to companies. */
  used: number;
  next: number | null;
  open: boolean | null;
  checkedAt: Date | null;
  problem: BankProblem | null;
  since: Date | null;
  detail: string | null;
  lastFileAt: Date | null;
}

export async function findBankRows(tx: PlatformTx): Promise<BankRow[]> {
  const { rows } = await sql<BankRow>`
    select b.id, b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", b.country, b.bic, b.clearing_system as "clearingSystem",
      b.clearing_code as "clearingCode", b.time_zone as "timeZone", b.calendars, b.address, b.enabled, r.prefix, r.digits,
      (select count(distinct a.account_number)::integer from bank_account a where a.bank_id = b.id) as used, r.next_number as next, r.open,
      s.checked_at as "checkedAt", s.problem, s.problem_since as since, s.detail, s.last_file_at as "lastFileAt"
    from bank b left join bank_account_range r on r.bank_id = b.id left join bank_connection_state s on s.bank_id = b.id
    order by b.name, b.id`.execute(tx);
  return rows;
}

export interface BankCurrencyRow {
  bank: string;
  asset: string;
  decimals: number;
  enabled: boolean;
  collectingAccount: string | null;
  cutOff: string;
  daysLeast: number;
  daysMost: number;
  feeMinor: bigint;
  feesHeldMinor: bigint;
  companies: number;
}

export async function findCurrencyRows(tx: PlatformTx): Promise<BankCurrencyRow[]> {
  const { rows } = await sql<BankCurrencyRow>`
    select ba.bank_id as bank, ba.asset_id as asset, a.decimals, ba.enabled, ba.collecting_account as "collectingAccount",
      ba.cut_off as "cutOff", ba.days_least as "daysLeast", ba.days_most as "daysMost", ba.recharge_fee as "feeMinor",
      coalesce(held.companies, 0) as companies, coalesce(fees.minor, 0) as "feesHeldMinor"
    from bank_asset ba join asset a on a.id = ba.asset_id
    left join (select bank_id, asset_id, count(*)::integer as companies from bank_account group by 1, 2) held
      on held.bank_id = ba.bank_id and held.asset_id = ba.asset_id
    left join (
      select w.bank_id, w.asset_id, sum(l.balance) as minor from ledger_account l
      join wallet w on w.company_id = l.company_id and w.id = l.owner_id and w.bank_id is not null
      where l.kind = 'fee' and l.balance <> 0 group by 1, 2
    ) fees on fees.bank_id = ba.bank_id and fees.asset_id = ba.asset_id
    order by ba.bank_id, ba.asset_id`.execute(tx);
  return rows;
}

export interface LastOrderRow {
  bank: string;
  fileName: string;
  asset: string;
  decimals: number;
  totalMinor: bigint;
  payments: number;
  state: (typeof bankOrderStates)[number];
  madeAt: Date;
  deliveredAt: Date | null;
  answeredAt: Date | null;
  unanswered: number;
}

/** The last order to each bank. */
export async function findLastOrders(tx: PlatformTx): Promise<LastOrderRow[]> {
  const { rows } = await sql<LastOrderRow>`
    select b.id as bank, o.file_name as "fileName", o.asset_id as asset, a.decimals, o.total as "totalMinor", o.payments, o.state,
      o.made_at as "madeAt", o.delivered_at as "deliveredAt",
      (select max(s.created_at) from bank_status s where s.original_message = o.message_id) as "answeredAt",
      (select count(*)::integer from bank_order_line l where l.order_id = o.id and l.state = 'ordered') as unanswered
    from bank b
    cross join lateral (select * from bank_order o where o.bank_id = b.id order by o.made_at desc, o.id desc limit 1) o
    join asset a on a.id = o.asset_id`.execute(tx);
  return rows;
}

export interface RegistryRow {
  id: string;
  at: Date;
  digest: string;
  changes: { bank: string; currency: string | null; field: string; before: string | null; after: string | null }[];
}

/** The last changes of the file of banks, newest first. */
export async function findRegistryChanges(tx: PlatformTx, most: number): Promise<RegistryRow[]> {
  const { rows } = await sql<RegistryRow>`
    select id, at, encode(digest, 'hex') as digest, changes from bank_registry_change order by at desc, id desc limit ${most}`.execute(
    tx,
  );
  return rows;
}

/** Since when each currency has had its present collecting account in the file; those of no file are left out. */
export async function findCollectingSince(tx: PlatformTx): Promise<{ bank: string; asset: string; since: Date }[]> {
  const { rows } = await sql<{ bank: string; asset: string; since: Date }>`
    with named as (
      select r.at, r.id, b ->> 'id' as bank, c ->> 'currency' as asset, c ->> 'collectingAccount' as account
      from bank_registry_change r cross join jsonb_array_elements(r.content) b cross join jsonb_array_elements(b -> 'currencies') c
    ), last as (
      select distinct on (bank, asset) bank, asset, account from named order by bank, asset, at desc, id desc
    )
    select l.bank, l.asset, min(n.at) as since from last l join named n on n.bank = l.bank and n.asset = l.asset and n.account = l.account
    where not exists (select from named o where o.bank = l.bank and o.asset = l.asset and o.account <> l.account and o.at > n.at)
    group by 1, 2`.execute(tx);
  return rows;
}

export async function countOpen(tx: PlatformTx): Promise<{ suspense: number; charged: number; refusedFiles: number }> {
  const { rows } = await sql<{ suspense: number; charged: number; refusedFiles: number }>`
    select (select count(*)::integer from bank_money where state = 'suspense') as suspense,
      (select count(*)::integer from bank_money where state = 'charged') as charged,
      (select count(*)::integer from bank_message where state = 'refused') as "refusedFiles"`.execute(tx);
  return rows[0] ?? { suspense: 0, charged: 0, refusedFiles: 0 };
}
