import type { Locale } from '@causeway/contract/locale.ts';
import { listCompanies, listCompanyInvitations, listCompanyNotes } from '@causeway/contract/operator-companies.ts';
import type { InvitationState } from '@causeway/contract/operator-companies-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { contains, defineList } from '../../../platform/database/list.ts';
import { frozenReason } from '../freezing/store.ts';

/** Companies as the role of the operator's console reads them. Amounts in minor units. */

export interface CompanyRow {
  id: string;
  name: string;
  createdAt: Date;
  baseCurrency: string;
  members: number;
  frozenWallets: number;
  frozenAt: Date | null;
  lastTransactionAt: Date | null;
}

const companyColumns: RawBuilder<CompanyRow> = sql`c.company_id as id, c.name, c.created_at as "createdAt", c.frozen_at as "frozenAt",
  coalesce((select s.base_currency from company_setting s where s.company_id = c.company_id), 'USD') as "baseCurrency",
  (select count(*) from member m where m.company_id = c.company_id and m.disabled_at is null) as members,
  (select count(*) from wallet w where w.company_id = c.company_id and w.frozen_at is not null) as "frozenWallets",
  (select t.created_at from transaction t where t.company_id = c.company_id and t.type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out')
    order by t.created_at desc, t.id desc limit 1) as "lastTransactionAt"`;

/** A part of the name; or in full a company's id, a member's email address, an address on a chain. */
function matches(keyword: string): RawBuilder<unknown> | null {
  const sought = keyword.trim();
  const named = contains(sql`c.name`, sought);
  return (
    named &&
    sql`(${named} or c.company_id::text = lower(${sought})
      or c.company_id in (select m.company_id from member m where lower(m.email) = lower(${sought}))
      or c.company_id in (select a.company_id from chain_address a where lower(a.address) = lower(${sought})))`
  );
}

export const companyList = defineList(listCompanies, {
  from: () => sql`company c`,
  where: () => sql`true`,
  filters: { keyword: (keyword) => matches(keyword) },
  columns: () => companyColumns,
  page: { alias: 'c' },
  orders: { name: { by: sql`c.name`, kind: 'text' } },
  first: { sort: 'name', order: 'asc' },
  id: sql`c.company_id`,
});

export async function findCompany(tx: PlatformTx, id: string): Promise<CompanyRow | null> {
  const { rows } = await sql<CompanyRow>`select ${companyColumns} from company c where c.company_id = ${id}`.execute(
    tx,
  );
  return rows[0] ?? null;
}

/** What companies are called, by id. */
export async function findCompanyNames(tx: PlatformTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select company_id as id, name from company where company_id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export interface HoldingRow {
  companyId: string;
  asset: string;
  decimals: number;
  minor: bigint;
}

/** What companies hold by asset: available, in transfer and frozen for trades, which is what total assets are. */
export async function findHoldings(tx: PlatformTx, companyIds: readonly string[]): Promise<HoldingRow[]> {
  const { rows } = await sql<HoldingRow>`
    select l.company_id as "companyId", a.id as asset, a.decimals, sum(l.balance) as minor
    from ledger_account l join asset a on a.id = l.asset_id
    where l.company_id = any (${[...companyIds]}::uuid[]) and l.kind in ('available', 'outbound', 'escrow') and l.balance <> 0
    group by l.company_id, a.id, a.decimals`.execute(tx);
  return rows;
}

export interface PersonRow {
  id: string;
  identifier: string;
  name: string;
  email: string;
  roleId: string;
  /** Of a role of the company's own. */
  ownRole: string | null;
  department: string | null;
  disabled: boolean;
  lastSignInAt: Date | null;
}

export async function findPeopleOf(tx: PlatformTx, companyId: string): Promise<PersonRow[]> {
  const { rows } = await sql<PersonRow>`
    select m.id, m.identifier, trim(m.first_name || ' ' || m.last_name) as name, m.email, m.role_id as "roleId", r.name as "ownRole",
      d.name as department, m.disabled_at is not null as disabled, m.last_login_at as "lastSignInAt"
    from member m left join role r on r.company_id = m.company_id and r.id = m.role_id
    left join department d on d.company_id = m.company_id and d.id = m.department_id
    where m.company_id = ${companyId} order by m.disabled_at is not null, m.created_at, m.id`.execute(tx);
  return rows;
}

export interface WalletFigures {
  id: string;
  asset: string;
  decimals: number;
  place: string;
  account: string | null;
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  deficitMinor: bigint;
  feeMinor: bigint;
  frozenAt: Date | null;
  frozenReason: string | null;
}

/** The banks are named in the reader's language, where they have a name in it. */
export async function findWalletsOf(tx: PlatformTx, companyId: string, locale: Locale): Promise<WalletFigures[]> {
  const balance = (kind: string) => sql`coalesce(max(l.balance) filter (where l.kind = ${kind}), 0)`;
  const { rows } = await sql<WalletFigures>`
    select w.id, a.id as asset, a.decimals, coalesce(h.name,
        case ${locale}::text when 'zh-hk' then k.name_zh_hk when 'zh-cn' then k.name_zh_cn end, k.name) as place,
      coalesce(own.address, b.account_number) as account,
      f.available as "availableMinor", f.outbound as "outboundMinor", f.inbound as "inboundMinor", f.deficit as "deficitMinor",
      f.fee as "feeMinor", w.frozen_at as "frozenAt", ${frozenReason} as "frozenReason"
    from wallet w
    join asset a on a.id = w.asset_id
    left join chain h on h.id = w.chain_id
    left join bank k on k.id = w.bank_id
    left join chain_address own on own.company_id = w.company_id and own.chain_id = w.chain_id
    left join bank_account b on b.company_id = w.company_id and b.bank_id = w.bank_id and b.asset_id = w.asset_id
    join lateral (
      select ${balance('available')} as available, ${balance('outbound')} as outbound, ${balance('inbound')} as inbound,
        coalesce(abs(max(l.balance) filter (where l.kind = 'deficit')), 0) as deficit, ${balance('fee')} as fee
      from ledger_account l where l.company_id = w.company_id and l.owner_id = w.id
    ) f on true
    where w.company_id = ${companyId}
    order by w.bank_id is not null, place, a.id`.execute(tx);
  return rows;
}

export interface MonthRow {
  /** YYYY-MM, UTC. */
  month: string;
  inCents: bigint;
  outCents: bigint;
  count: number;
}

/** An exchange is neither paid in nor paid out. */
const exchanges = ['crypto_exchange_out', 'crypto_exchange_in', 'fiat_exchange_out', 'fiat_exchange_in'];

/** Completed transactions of the last twelve months, at the values that were kept with them. */
export async function findVolume(tx: PlatformTx, companyId: string): Promise<MonthRow[]> {
  const { rows } = await sql<MonthRow>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM') as month, count(*) as count,
      coalesce(sum(value_usd_cents) filter (where direction = 'in' and type <> all (${exchanges})), 0)::numeric(78, 0) as "inCents",
      coalesce(sum(value_usd_cents) filter (where direction = 'out' and type <> all (${exchanges})), 0)::numeric(78, 0) as "outCents"
    from transaction
    where company_id = ${companyId} and status = 'completed' and type not in ('chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out')
      and created_at >= date_trunc('month', now() at time zone 'UTC') at time zone 'UTC' - interval '11 months'
    group by 1 order by 1 desc`.execute(tx);
  return rows;
}

export interface NoteRow {
  id: string;
  at: Date;
  operatorId: string;
  operatorName: string;
  text: string;
}

export const noteList = defineList(listCompanyNotes, {
  from: () => sql`operator_note n join operator_account o on o.id = n.operator_id`,
  where: (companyId: string) => sql`n.company_id = ${companyId}`,
  filters: {},
  columns: () =>
    sql<NoteRow>`n.id, n.at, n.operator_id as "operatorId", o.name as "operatorName", n.text` as RawBuilder<NoteRow>,
  orders: { time: { by: sql`n.at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`n.id`,
});

export async function insertNote(
  tx: Tx,
  note: { id: string; companyId: string; operatorId: string; text: string },
): Promise<void> {
  await sql`insert into operator_note (id, company_id, operator_id, text)
    values (${note.id}, ${note.companyId}, ${note.operatorId}, ${note.text})`.execute(tx);
}

/** False when this operator looked at the company within the same hour. */
export async function insertLook(tx: Tx, operatorId: string, companyId: string): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into operator_look (operator_id, company_id, hour)
    values (${operatorId}, ${companyId}, date_trunc('hour', now())) on conflict do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

export interface InvitationRow {
  id: string;
  label: string;
  state: InvitationState;
  createdAt: Date;
  expiresAt: Date;
  usedAt: Date | null;
  companyId: string | null;
  companyName: string | null;
}

const invitationState = sql`case when i.used_at is not null then 'used' when i.revoked_at is not null then 'revoked'
  when i.expires_at <= now() then 'expired' else 'open' end`;

export const invitationList = defineList(listCompanyInvitations, {
  from: () => sql`invitation i left join company c on c.company_id = i.used_by_company_id`,
  where: () => sql`true`,
  filters: { state: (state) => sql`${invitationState} = ${state}` },
  columns: () =>
    sql<InvitationRow>`i.id, i.label, ${invitationState} as state, i.created_at as "createdAt", i.expires_at as "expiresAt",
      i.used_at as "usedAt", i.used_by_company_id as "companyId", c.name as "companyName"` as RawBuilder<InvitationRow>,
  orders: { time: { by: sql`i.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`i.id`,
});
