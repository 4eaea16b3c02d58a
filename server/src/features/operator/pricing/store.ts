import { listPriceHistory, type PriceKind, type PriceState } from '@causeway/contract/operator-prices.ts';
import { isBankFee } from '@causeway/contract/operator-prices-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import type { PlaceNames } from '../../banks/index.ts';
import { nilCompany } from '../../identity/index.ts';
import type { Past, PriceKey } from './domain.ts';

/** Prices in the database: values in minor units, those of a spread in basis points; the nil company's hold for every company. */

export interface AssetRow {
  asset: string;
  decimals: number;
  isCoin: boolean;
  minimumMinor: bigint;
  /** The chains that have it, with the fee that it was registered with. */
  chains: { id: string; name: string; feeMinor: string }[];
  /** The banks that have it, with fees and minimums of the file of banks. */
  banks: (PlaceNames & {
    id: string;
    localMinor: string;
    swiftMinor: string;
    payoutMinimumMinor: string;
    rechargeMinimumMinor: string;
  })[];
}

/** Assets of the installation, coins first; one, where it is named. */
export async function findAssets(tx: PlatformTx, asset: string | null = null): Promise<AssetRow[]> {
  const { rows } = await sql<AssetRow>`
    select a.id as asset, a.decimals, a.kind = 'coin' as "isCoin", a.minimum as "minimumMinor", coalesce((
      select jsonb_agg(jsonb_build_object('id', c.id, 'name', c.name, 'feeMinor', ca.withdraw_fee::text) order by c.name, c.id)
      from chain_asset ca join chain c on c.id = ca.chain_id where ca.coin = a.id), '[]') as chains,
      coalesce((
        select jsonb_agg(jsonb_build_object('id', b.id, 'name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn,
          'localMinor', ba.payout_fee_local::text, 'swiftMinor', ba.payout_fee_swift::text,
          'payoutMinimumMinor', coalesce(ba.payout_minimum, a.minimum)::text,
          'rechargeMinimumMinor', coalesce(ba.recharge_minimum, a.minimum)::text) order by b.name, b.id)
        from bank_asset ba join bank b on b.id = ba.bank_id where ba.asset_id = a.id and ba.enabled and b.enabled), '[]') as banks
    from asset a
    where (${asset}::text is null or a.id = ${asset})
      and (a.kind <> 'coin' or exists (select from chain_asset ca where ca.coin = a.id))
    order by a.kind <> 'coin', a.id`.execute(tx);
  return rows;
}

export interface OpenPrice {
  id: string;
  companyId: string;
  kind: PriceKind;
  asset: string;
  chain: string | null;
  bank: string | null;
  value: bigint | null;
  validFrom: Date;
  isPlanned: boolean;
}

/** What holds and what is planned, for every company and, where one is named, for it; in the order of their instants. */
export async function findOpenPrices(
  tx: PlatformTx,
  { companyId, asset = null }: { companyId: string | null; asset?: string | null },
): Promise<OpenPrice[]> {
  const { rows } = await sql<OpenPrice>`
    select o.id, o.company_id as "companyId", o.kind, o.asset_id as asset, o.chain_id as chain, o.bank_id as bank,
      o.value,
      o.valid_from as "validFrom", o.valid_from > now() as "isPlanned"
    from operator_price o
    where o.withdrawn_at is null and o.valid_until > now() and o.company_id in (${nilCompany}, ${companyId ?? nilCompany})
      and (${asset}::text is null or o.asset_id = ${asset})
    order by o.valid_from, o.id`.execute(tx);
  return rows;
}

/** Companies with a price of their own in force or planned, by asset. */
export async function findPricedCompanies(tx: PlatformTx): Promise<{ asset: string; id: string; name: string }[]> {
  const { rows } = await sql<{ asset: string; id: string; name: string }>`
    select distinct o.asset_id as asset, c.company_id as id, c.name from operator_price o
    join company c on c.company_id = o.company_id
    where o.withdrawn_at is null and o.valid_until > now() and o.value is not null order by c.name, c.company_id`.execute(
    tx,
  );
  return rows;
}

/** Companies that a price for every company would not reach, since they have one of their own. */
export async function findExempt(tx: PlatformTx, { kind, asset, chain, bank }: PriceKey): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select o.company_id as id from operator_price o
    where o.asset_id = ${asset} and o.kind = ${kind} and o.chain_id is not distinct from ${chain}
      and o.bank_id is not distinct from ${bank} and o.value is not null
      and o.company_id <> ${nilCompany} and o.valid_from <= now() and o.valid_until > now()`.execute(tx);
  return rows.map(({ id }) => id);
}

/** The database's time, by which prices hold and announcements are due. */
export async function readClock(tx: PlatformTx): Promise<Date> {
  const { rows } = await sql<{ at: Date }>`select now() as at`.execute(tx);
  return rows[0]?.at ?? new Date();
}

export async function countCompanies(tx: PlatformTx): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from company`.execute(tx);
  return rows[0]?.count ?? 0;
}

export async function findCompanyName(tx: PlatformTx, id: string): Promise<string | null> {
  const { rows } = await sql<{ name: string }>`select name from company where company_id = ${id}`.execute(tx);
  return rows[0]?.name ?? null;
}

interface TrialOver {
  value: bigint;
  days: number;
  exempt: readonly string[];
}

/** What withdrawals, or payments out of a bank by one way, that were completed in the last days come to, by company. */
export function sumPast(tx: PlatformTx, key: PriceKey, over: TrialOver): Promise<Past[]> {
  return isBankFee(key.kind) ? sumPayouts(tx, key, over) : sumSent(tx, key, over);
}

async function sumPayouts(
  tx: PlatformTx,
  { kind, asset, bank, companyId }: PriceKey,
  { days, exempt }: TrialOver,
): Promise<Past[]> {
  const { rows } = await sql<Past>`
    select count(*) as transfers, sum(t.fee) as "earnedMinor", 0 as refused, sum(t.fee) as "keptMinor"
    from (
      select t.company_id, t.id, t.fee, t.created_at from transaction t
      where t.type = 'fiat_payout' and t.status = 'completed' and t.coin = ${asset}
      union all
      -- Of those out of coins the bank's fee is bought with the amount.
      select t.company_id, t.id, p.fee, t.created_at
      from payout p join transaction t on t.company_id = p.company_id and t.id = p.transaction_id
      where p.wallet_id is not null and p.asset_id = ${asset} and t.status = 'completed'
    ) t
    join payout p on p.company_id = t.company_id and p.transaction_id = t.id
    join bank_payee_version v on v.company_id = p.company_id and v.id = p.version_id
    where p.bank_id = ${bank} and (v.way = 'swift') = ${kind === 'payout_fee_swift'} and t.created_at >= now() - make_interval(days => ${days})
      and ${companyId === null ? sql`t.company_id <> all (${[...exempt]}::uuid[])` : sql`t.company_id = ${companyId}`}
    group by t.company_id`.execute(tx);
  return rows;
}

/** Withdrawals of a coin, or payments of a currency out of any bank, with what a price would have refused of them. */
async function sumSent(
  tx: PlatformTx,
  { kind, asset, chain, companyId }: PriceKey,
  { value, days, exempt }: TrialOver,
): Promise<Past[]> {
  const limit = value.toString();
  const refused =
    kind === 'withdrawal_minimum'
      ? sql`t.quantity <= ${limit}::numeric`
      : kind === 'transfer_limit'
        ? sql`t.quantity > ${limit}::numeric`
        : sql`false`;
  const { rows } = await sql<Past>`
    select count(*) as transfers, sum(t.fee) as "earnedMinor", count(*) filter (where ${refused}) as refused,
      coalesce(sum(t.fee) filter (where not (${refused})), 0) as "keptMinor"
    from transaction t
    where t.type = (select case a.kind when 'coin' then 'chain_withdraw' else 'fiat_payout' end from asset a where a.id = ${asset})
      and t.status = 'completed' and t.coin = ${asset}
      and ${chain === null ? sql`true` : sql`t.chain_id = ${chain}`} and t.created_at >= now() - make_interval(days => ${days})
      and ${companyId === null ? sql`t.company_id <> all (${[...exempt]}::uuid[])` : sql`t.company_id = ${companyId}`}
    group by t.company_id`.execute(tx);
  return rows;
}

export interface NewPrice extends PriceKey {
  id: string;
  value: bigint | null;
  /** ISO 8601; null, and what is past: now. */
  validFrom: string | null;
  proposalId: string | null;
  setBy: string | null;
}

export async function insertPrice(tx: PlatformTx, price: NewPrice): Promise<void> {
  const { id, companyId, kind, asset, chain, bank, value, validFrom, proposalId, setBy } = price;
  const origin =
    proposalId === null ? { column: sql`set_by`, by: setBy } : { column: sql`proposal_id`, by: proposalId };
  await sql`
    insert into operator_price (id, company_id, kind, asset_id, chain_id, bank_id, value, valid_from, ${origin.column})
    values (${id}, ${companyId ?? nilCompany}, ${kind}, ${asset}, ${chain}, ${bank},
      ${value === null ? null : value.toString()},
      greatest(${validFrom}::timestamptz, now()), ${origin.by})`.execute(tx);
}

/** False when it holds already, was withdrawn before, or is not there. */
export async function withdrawPlanned(
  tx: Tx,
  { id, by, reason }: { id: string; by: string; reason: string },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update operator_price set withdrawn_at = now(), withdrawn_by = ${by}, withdrawal_reason = ${reason}
    where id = ${id} and withdrawn_at is null and valid_from > now()`.execute(tx);
  return numAffectedRows === 1n;
}

export interface HistoryRow {
  id: string;
  companyId: string | null;
  company: string | null;
  kind: PriceKind;
  asset: string;
  isCoin: boolean;
  decimals: number;
  chainId: string | null;
  chainName: string | null;
  bankId: string | null;
  bankNames: PlaceNames | null;
  value: bigint | null;
  validFrom: Date;
  validUntil: Date | null;
  state: PriceState;
  proposalId: string | null;
  proposedBy: string | null;
  confirmedBy: string | null;
  setBy: string | null;
  withdrawnAt: Date | null;
  withdrawnBy: string | null;
  withdrawalReason: string | null;
}

const state = sql`case when o.withdrawn_at is not null then 'withdrawn' when o.valid_from > now() then 'planned'
  when o.valid_until <= now() then 'ended' else 'inForce' end`;

export const priceHistory = defineList(listPriceHistory, {
  from: () => sql`operator_price o join asset a on a.id = o.asset_id`,
  where: () => sql`true`,
  filters: {
    id: (id) => sql`o.id = ${id}`,
    kind: (kind) => sql`o.kind = ${kind}`,
    asset: (asset) => sql`o.asset_id = ${asset}`,
    state: (wanted) => sql`${state} = ${wanted}`,
    companyId: (companyId) => sql`o.company_id = ${companyId}`,
  },
  columns: () =>
    sql<HistoryRow>`o.id, nullif(o.company_id, ${nilCompany}) as "companyId",
      (select c.name from company c where c.company_id = o.company_id) as company,
      o.kind, o.asset_id as asset, a.kind = 'coin' as "isCoin", a.decimals, o.chain_id as "chainId", (select c.name from chain c where c.id = o.chain_id) as "chainName",
      o.bank_id as "bankId", (select jsonb_build_object('name', b.name, 'nameZhHk', b.name_zh_hk, 'nameZhCn', b.name_zh_cn)
        from bank b where b.id = o.bank_id) as "bankNames",
      o.value, o.valid_from as "validFrom", nullif(o.valid_until, 'infinity') as "validUntil", ${state} as state,
      o.proposal_id as "proposalId",
      (select s.name from operator_proposal p join operator_account s on s.id = p.proposed_by where p.id = o.proposal_id) as "proposedBy",
      (select s.name from operator_proposal p join operator_account s on s.id = p.decided_by where p.id = o.proposal_id) as "confirmedBy",
      o.set_by as "setBy", o.withdrawn_at as "withdrawnAt",
      (select s.name from operator_account s where s.id = o.withdrawn_by) as "withdrawnBy",
      o.withdrawal_reason as "withdrawalReason"` as RawBuilder<HistoryRow>,
  orders: { time: { by: sql`o.created_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`o.id`,
});
