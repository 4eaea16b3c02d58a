import { listSolvencyHeld, listSolvencyOwed, listSolvencyTiming } from '@causeway/contract/operator-solvency.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { defineList } from '../../../platform/database/list.ts';
import { newId } from '../../../platform/ids.ts';
import type { BalanceRow } from '../../../platform/solvency/store.ts';
import type { PlaceNames } from '../../banks/index.ts';
import { gasTankOwner } from '../../chains/index.ts';
import type { ChainHoldings, ChainMove } from './domain.ts';

/** Solvency as the roles that read across companies see it. Amounts in minor units. */

/** Every company's balances just before an instant, as the ledger has them. */
export async function readBalances(tx: PlatformTx, at: Date): Promise<BalanceRow[]> {
  const { rows } = await sql<BalanceRow>`
    select company_id as "companyId", asset_id as asset, kind, at_bank as "isAtBank", minor
    from balances_by_company(${at})`.execute(tx);
  return rows;
}

export async function findDecimals(tx: PlatformTx, asset: string): Promise<number | null> {
  const { rows } = await sql<{ decimals: number }>`select decimals from asset where id = ${asset}`.execute(tx);
  return rows[0]?.decimals ?? null;
}

export async function firstReportDay(tx: PlatformTx): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`select min(day)::text as day from solvency_report`.execute(tx);
  return rows[0]?.day ?? null;
}

export interface OwedRow {
  id: string;
  name: string;
  availableMinor: bigint;
  outboundMinor: bigint;
  inboundMinor: bigint;
  escrowMinor: bigint;
  ownMinor: bigint;
}

const partOf = (...kinds: string[]) => sql`coalesce(sum(b.minor) filter (where b.kind = any (${kinds}::text[])), 0)`;

export const owedList = defineList(listSolvencyOwed, {
  from: ({ at, asset }: { at: Date; asset: string }) => sql`(
    select b.company_id, coalesce(c.name, b.company_id::text) as name, ${partOf('available')} as available,
      ${partOf('outbound')} as outbound, ${partOf('inbound')} as inbound, ${partOf('escrow')} as escrow,
      ${partOf('fee', 'gas', 'card')} as own
    from balances_by_company(${at}) b left join company c on c.company_id = b.company_id
    where b.asset_id = ${asset} group by b.company_id, c.name
  ) o`,
  where: () => sql`o.available + o.outbound + o.inbound + o.escrow + o.own <> 0`,
  filters: {},
  columns:
    () => sql<OwedRow>`o.company_id as id, o.name, o.available as "availableMinor", o.outbound as "outboundMinor",
    o.inbound as "inboundMinor", o.escrow as "escrowMinor", o.own as "ownMinor"`,
  orders: { name: { by: sql`o.name`, kind: 'text' } },
  first: { sort: 'name', order: 'asc' },
  id: sql`o.company_id`,
});

export interface HeldRow {
  chain: string;
  address: string;
  minor: bigint;
  companyId: string | null;
  companyName: string | null;
}

export const heldList = defineList(listSolvencyHeld, {
  from: () => sql`solvency_holding h left join company c on c.company_id = h.company_id`,
  where: ({ day, asset }: { day: string; asset: string }) => sql`h.day = ${day} and h.asset_id = ${asset}`,
  filters: {
    chain: (chain) => sql`h.chain_id = ${chain}`,
    owner: (owner) => sql`(h.company_id = ${gasTankOwner}::uuid) = ${owner === 'operator'}`,
  },
  columns:
    () => sql<HeldRow>`h.chain_id as chain, h.address, h.minor, nullif(h.company_id, ${gasTankOwner}::uuid) as "companyId",
    c.name as "companyName"`,
  // An address is there once on its chain.
  orders: { place: { by: sql`(h.chain_id || ' ' || h.address)`, kind: 'text' } },
  first: { sort: 'place', order: 'asc' },
});

/** What banks had stated by a day's midnight, by currency. */
export async function findBanksOf(
  tx: PlatformTx,
  day: string,
): Promise<(PlaceNames & { asset: string; statedMinor: bigint; suspenseMinor: bigint })[]> {
  const { rows } = await sql<PlaceNames & { asset: string; statedMinor: bigint; suspenseMinor: bigint }>`
    select b.name, b.name_zh_hk as "nameZhHk", b.name_zh_cn as "nameZhCn", s.asset_id as asset, s.stated as "statedMinor",
      s.suspense as "suspenseMinor"
    from solvency_bank s join bank b on b.id = s.bank_id where s.day = ${day} order by b.name, b.id`.execute(tx);
  return rows;
}

export interface TimingRow {
  id: string;
  companyId: string;
  companyName: string | null;
  chain: string;
  kind: string;
  source: string;
  minor: bigint;
  block: number;
  postedAt: Date;
}

export const timingList = defineList(listSolvencyTiming, {
  from: () => sql`solvency_timing t left join company c on c.company_id = t.company_id`,
  where: ({ day, asset }: { day: string; asset: string }) => sql`t.day = ${day} and t.asset_id = ${asset}`,
  filters: {},
  columns:
    () => sql<TimingRow>`t.posting_id as id, t.company_id as "companyId", c.name as "companyName", t.chain_id as chain,
    t.kind, t.source_id as source, t.minor, t.block, t.posted_at as "postedAt"`,
  orders: { time: { by: sql`t.posted_at`, kind: 'time' } },
  first: { sort: 'time', order: 'asc' },
  id: sql`t.posting_id`,
});

/** Everything that the lines of a full report are made of, by chain. */
export async function findHoldingsOf(
  tx: PlatformTx,
  day: string,
): Promise<Pick<ChainHoldings, 'chain' | 'holdings' | 'timing'>[]> {
  const held = await sql<ChainHoldings['holdings'][number] & { chain: string }>`
    select chain_id as chain, nullif(company_id, ${gasTankOwner}::uuid) as "companyId", address, asset_id as asset, minor
    from solvency_holding where day = ${day}`.execute(tx);
  const timing = await sql<ChainMove & { chain: string }>`
    select chain_id as chain, company_id as "companyId", posting_id as "postingId", kind, source_id as "sourceId", asset_id as asset,
      minor, block, posted_at as "postedAt"
    from solvency_timing where day = ${day}`.execute(tx);
  const chains = [...new Set([...held.rows, ...timing.rows].map(({ chain }) => chain))];
  return chains.map((chain) => ({
    chain,
    holdings: held.rows.filter((row) => row.chain === chain),
    timing: timing.rows.filter((row) => row.chain === chain),
  }));
}

export async function findCompanyNames(tx: PlatformTx, ids: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ id: string; name: string }>`
    select company_id as id, name from company where company_id = any (${[...ids]}::uuid[])`.execute(tx);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

export async function insertRequest(tx: PlatformTx, operatorId: string): Promise<void> {
  await sql`
    insert into operator_solvency_request (id, operator_id) values (${newId()}, ${operatorId})`.execute(tx);
}
