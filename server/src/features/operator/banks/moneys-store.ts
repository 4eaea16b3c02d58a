import { listBankMoneys } from '@causeway/contract/operator-banks.ts';
import type {
  BankMatch,
  BankMoneyState,
  BankSuggestion,
  BankUnmatched,
} from '@causeway/contract/operator-banks-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';

/** Moneys of banks as the console reads them, and to whom one could be credited. Amounts in minor units. */

export interface MoneyRow {
  id: string;
  bank: string;
  bankName: string;
  nameZhHk: string | null;
  nameZhCn: string | null;
  account: string;
  asset: string;
  decimals: number;
  amountMinor: bigint;
  state: BankMoneyState;
  unmatched: BankUnmatched | null;
  matchedBy: BankMatch | null;
  payer: string | null;
  payerAccount: string | null;
  remittance: string;
  bankWords: string | null;
  reference: string | null;
  bookedOn: string | null;
  at: Date;
  suggestions: { companyId: string; why: BankSuggestion; value: string }[];
  takenBack: boolean;
}

export const source = sql`bank_money m join bank_collection c on c.id = m.collection_id join bank b on b.id = c.bank_id join asset a on a.id = c.asset_id`;
export const columns =
  sql`m.id, c.bank_id as bank, b.name as "bankName", b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", c.number as account,
  a.id as asset, a.decimals, m.amount as "amountMinor", m.state, m.unmatched, m.matched_by as "matchedBy", m.payer_name as payer,
  m.payer_account as "payerAccount", m.remittance, m.bank_words as "bankWords", coalesce(m.reference, m.transaction_reference) as reference,
  m.booked_on::text as "bookedOn", m.created_at as at, m.suggestions, m.reversed_by_id is not null as "takenBack"` as RawBuilder<MoneyRow>;

export const moneyList = defineList(listBankMoneys, {
  from: () => source,
  where: () => sql`true`,
  filters: {
    state: (state) => sql`m.state = ${state}`,
    bank: (bank) => sql`c.bank_id = ${bank}`,
    asset: (asset) => sql`c.asset_id = ${asset}`,
  },
  columns: () => columns,
  orders: { time: { by: sql`m.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'asc' },
  id: sql`m.id`,
});

/** Those that a file announced or booked, in its order. */
export async function findMoneysOfFile(tx: PlatformTx, fileId: string, most: number): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    with entry as (
      select e.id from bank_entry e join bank_statement s on s.id = e.statement_id where s.message_id = ${fileId}
    )
    select ${columns} from ${source}
    where m.id in (
      select o.id from bank_money o join entry on entry.id = o.booked_entry_id
      union select o.id from bank_money o join entry on entry.id = o.announced_entry_id)
    order by m.id limit ${most}`.execute(tx);
  return rows;
}

export interface MoneyDetail extends MoneyRow {
  valueOn: string | null;
  endToEnd: string | null;
  uetr: string | null;
  payerBank: string | null;
  creditorAccount: string | null;
  creditorReferences: string[];
  returnReason: string | null;
  returnWords: string | null;
  isUndetailed: boolean;
  transactionId: string | null;
  companyId: string | null;
  companyName: string | null;
}

export async function findMoney(
  tx: PlatformTx,
  id: string,
  { lock = false }: { lock?: boolean } = {},
): Promise<MoneyDetail | null> {
  const { rows } = await sql<MoneyDetail>`
    select ${columns}, m.value_on::text as "valueOn", m.end_to_end as "endToEnd", m.uetr, m.payer_bank as "payerBank",
      m.creditor_account as "creditorAccount", m.creditor_references as "creditorReferences", m.is_undetailed as "isUndetailed",
      m.return_reason as "returnReason", m.return_words as "returnWords",
      k.transaction_id as "transactionId",
      k.company_id as "companyId", coalesce(y.name, '') as "companyName"
    from ${source} left join bank_credit k on k.money_id = m.id left join company y on y.company_id = k.company_id
    where m.id = ${id} ${lock ? sql`for share of m` : sql``}`.execute(tx);
  return rows[0] ?? null;
}

/** The files that announced and booked a money, in the order in which they came. */
export async function findFilesOfMoney(
  tx: PlatformTx,
  moneyId: string,
): Promise<{ id: string; name: string; at: Date }[]> {
  const { rows } = await sql<{ id: string; name: string; at: Date }>`
    select distinct f.id, f.name, f.received_at as at from bank_money m
    join bank_entry e on e.id = m.announced_entry_id or e.id = m.booked_entry_id
    join bank_statement s on s.id = e.statement_id join bank_message f on f.id = s.message_id
    where m.id = ${moneyId} order by f.received_at, f.id`.execute(tx);
  return rows;
}

/** Debits by which the bank may have sent a money back: of its amount, at its account, not before it, and explained by nothing else. */
export async function findReturns(tx: PlatformTx, moneyId: string): Promise<MoneyRow[]> {
  const { rows } = await sql<MoneyRow>`
    select ${columns} from ${source} join bank_money held on held.id = ${moneyId} and held.state = 'suspense'
    where m.collection_id = held.collection_id and m.amount = -held.amount and m.state = 'charged'
      and (m.booked_on is null or held.booked_on is null or m.booked_on >= held.booked_on)
    order by m.id limit 20`.execute(tx);
  return rows;
}

/** A company's wallet to which a money of this currency at this bank can be credited. */
export interface TargetRow {
  companyId: string;
  companyName: string;
  walletId: string;
  accountNumber: string;
  frozen: boolean;
}

const targets = sql`wallet w
  join company y on y.company_id = w.company_id
  join bank_account n on n.company_id = w.company_id and n.bank_id = w.bank_id and n.asset_id = w.asset_id`;
const targetColumns = sql`w.company_id as "companyId", y.name as "companyName", w.id as "walletId", n.account_number as "accountNumber",
  w.frozen_at is not null or y.frozen_at is not null as frozen`;

export async function findTargetsOf(
  tx: PlatformTx,
  { bank, asset }: Pick<MoneyRow, 'bank' | 'asset'>,
  companyIds: readonly string[],
): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    select ${targetColumns} from ${targets}
    where w.bank_id = ${bank} and w.asset_id = ${asset} and w.company_id = any (${[...companyIds]}::uuid[])`.execute(
    tx,
  );
  return rows;
}

/** By a part of the company's name, or of the account's number. */
export async function searchTargets(
  tx: PlatformTx,
  { bank, asset }: Pick<MoneyRow, 'bank' | 'asset'>,
  keyword: string,
): Promise<TargetRow[]> {
  const { rows } = await sql<TargetRow>`
    select ${targetColumns} from ${targets}
    where w.bank_id = ${bank} and w.asset_id = ${asset}
      and (strpos(lower(y.name), lower(${keyword})) > 0 or strpos(n.account_number, upper(${keyword})) > 0)
    order by y.name, w.company_id limit 20`.execute(tx);
  return rows;
}

/** What companies have of fees in a currency at a bank: the operator's own money there. */
export async function sumFees(tx: PlatformTx, { bank, asset }: Pick<MoneyRow, 'bank' | 'asset'>): Promise<bigint> {
  const { rows } = await sql<{ minor: bigint }>`
    select coalesce(sum(l.balance), 0) as minor from ledger_account l
    join wallet w on w.company_id = l.company_id and w.id = l.owner_id and w.bank_id = ${bank} and w.asset_id = ${asset}
    where l.kind = 'fee'`.execute(tx);
  return rows[0]?.minor ?? 0n;
}

export async function namesOfCompanies(tx: PlatformTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select company_id as id, name from company where company_id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function findOpenProposal(tx: PlatformTx, moneyId: string): Promise<string | null> {
  const { rows } = await sql<{ id: string }>`
    select id from operator_proposal
    where kind in ('bankMoney.credit', 'bankMoney.return', 'bankMoney.fees', 'bankMoney.cards', 'bankMoney.feesBack', 'bankMoney.cardsBack', 'bankMoney.withdraw') and subject_id = ${moneyId} and state = 'open' and expires_at > now()`.execute(
    tx,
  );
  return rows[0]?.id ?? null;
}
