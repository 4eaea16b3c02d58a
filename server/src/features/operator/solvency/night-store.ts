import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { BankHolding, ChainHoldings, ChainMove, Report } from './domain.ts';

/** What the nightly work reads and writes, as the worker's role. Amounts in minor units. */

/** Every address of ours on a chain; the gas tank's has no company. */
export async function ownAddressesOf(
  tx: PlatformTx,
  chainId: string,
  tank: string,
): Promise<{ companyId: string | null; address: string }[]> {
  const { rows } = await sql<{ companyId: string | null; address: string }>`
    select nullif(company_id, ${tank}::uuid) as "companyId", address from chain_own_address
    where chain_id = ${chainId} order by address`.execute(tx);
  return rows;
}

/** Postings to the chain's accounts since an instant. */
export async function movesSince(tx: PlatformTx, chainId: string, since: Date): Promise<ChainMove[]> {
  const { rows } = await sql<ChainMove>`
    select company_id as "companyId", asset_id as asset, posting_id as "postingId", kind, source_id as "sourceId", minor, block,
      posted_at as "postedAt"
    from solvency_moves(${chainId}, ${since})`.execute(tx);
  return rows;
}

/** Payments out of our addresses that are on the chain and in no posting yet, because they were not explained; as the addresses see them. */
export async function unbookedMoves(
  tx: PlatformTx,
  chainId: string,
  nativeCoin: string,
): Promise<Omit<ChainMove, 'postedAt'>[]> {
  const { rows } = await sql<Omit<ChainMove, 'postedAt'>>`
    select company_id as "companyId", m.asset, id as "postingId", 'unexplained' as kind, id as "sourceId", m.minor, block_number as block
    from unexplained_payment u
    cross join lateral (values (u.coin, -u.amount), (${nativeCoin}, -u.network_fee)) m (asset, minor)
    where chain_id = ${chainId} and state = 'open' and m.asset is not null and m.minor <> 0`.execute(tx);
  return rows;
}

/** Whether payments that blocks up to this height have are not in the books yet. */
export async function hasUnsettled(tx: PlatformTx, chainId: string, height: number): Promise<boolean> {
  const { rows } = await sql`
    select from chain_send where chain_id = ${chainId} and final_at is null and mined_block <= ${height} limit 1`.execute(
    tx,
  );
  return rows.length > 0;
}

/** What each bank had stated by an instant, by currency. */
export async function banksAt(tx: PlatformTx, at: Date): Promise<BankHolding[]> {
  const { rows } = await sql<BankHolding>`
    select bank_id as bank, asset_id as asset, stated as "statedMinor", unposted as "unpostedMinor", suspense as "suspenseMinor",
      charges as "chargesMinor"
    from solvency_banks(${at}) order by 1, 2`.execute(tx);
  return rows;
}

export async function decimalsOfAll(tx: PlatformTx): Promise<Map<string, number>> {
  const { rows } = await sql<{ id: string; decimals: number }>`select id, decimals from asset`.execute(tx);
  return new Map(rows.map(({ id, decimals }) => [id, decimals]));
}

/** Writes a report with everything that it was made of. */
export async function insertReport(
  tx: PlatformTx,
  { statement, digest, leaves }: Report,
  {
    canonicalText,
    chains,
    banks,
    tank,
  }: { canonicalText: string; chains: readonly ChainHoldings[]; banks: readonly BankHolding[]; tank: string },
): Promise<void> {
  const { day } = statement;
  const written = await sql`
    insert into solvency_report (day, statement, digest)
    values (${day}, ${canonicalText}, ${Buffer.from(digest, 'hex')})`.execute(tx);
  invariant(written.numAffectedRows === 1n, 'a day has one report');
  await sql`
    insert into solvency_leaf (company_id, day, position, salt, sums, parts, path)
    select company_id, ${day}::date, position, decode(salt, 'hex'), sums, parts, path from jsonb_to_recordset(${JSON.stringify(
      leaves.map(({ companyId, salt, ...leaf }) => ({ company_id: companyId, salt: salt.toString('hex'), ...leaf })),
    )}::jsonb) as l (company_id uuid, position integer, salt text, sums jsonb, parts jsonb, path jsonb)`.execute(tx);
  await sql`
    insert into solvency_bank (day, bank_id, asset_id, stated, unposted, suspense, charges)
    select ${day}::date, b.bank_id, b.asset_id, b.stated, b.unposted, b.suspense, b.charges from jsonb_to_recordset(${JSON.stringify(
      banks.map(({ bank, asset, ...minor }) => ({
        bank_id: bank,
        asset_id: asset,
        stated: String(minor.statedMinor),
        unposted: String(minor.unpostedMinor),
        suspense: String(minor.suspenseMinor),
        charges: String(minor.chargesMinor),
      })),
    )}::jsonb) as b (bank_id text, asset_id text, stated numeric, unposted numeric, suspense numeric, charges numeric)`.execute(
    tx,
  );
  const holdings = chains.flatMap(({ chain, holdings }) => holdings.map((row) => ({ chain, ...row })));
  await sql`
    insert into solvency_holding (company_id, day, chain_id, address, asset_id, minor)
    select h.company_id, ${day}::date, h.chain_id, h.address, h.asset_id, h.minor from unnest(
      ${holdings.map(({ companyId }) => companyId ?? tank)}::uuid[], ${holdings.map(({ chain }) => chain)}::text[],
      ${holdings.map(({ address }) => address)}::text[], ${holdings.map(({ asset }) => asset)}::text[],
      ${holdings.map(({ minor }) => String(minor))}::numeric[]) as h (company_id, chain_id, address, asset_id, minor)`.execute(
    tx,
  );
  const moves = chains.flatMap(({ chain, timing }) => timing.map((row) => ({ chain, ...row })));
  await sql`
    insert into solvency_timing (company_id, day, posting_id, chain_id, kind, source_id, asset_id, minor, block, posted_at)
    select m.company_id, ${day}::date, m.posting_id, m.chain_id, m.kind, m.source_id, m.asset_id, m.minor, m.block, m.posted_at from unnest(
      ${moves.map(({ companyId }) => companyId)}::uuid[], ${moves.map(({ postingId }) => postingId)}::uuid[],
      ${moves.map(({ chain }) => chain)}::text[], ${moves.map(({ kind }) => kind)}::text[],
      ${moves.map(({ sourceId }) => sourceId)}::uuid[], ${moves.map(({ asset }) => asset)}::text[],
      ${moves.map(({ minor }) => String(minor))}::numeric[], ${moves.map(({ block }) => block)}::bigint[],
      ${moves.map(({ postedAt }) => postedAt)}::timestamptz[])
      as m (company_id, posting_id, chain_id, kind, source_id, asset_id, minor, block, posted_at)`.execute(tx);
}

/** Where the nightly work is. */
export interface NightState {
  day: string;
  triedAt: Date;
  problem: string | null;
  /** The problem ends by itself: a chain needs time. */
  waiting: boolean;
}

export async function findNightState(tx: PlatformTx): Promise<NightState | null> {
  const { rows } = await sql<NightState>`
    select day::text, tried_at as "triedAt", problem, waiting from solvency_state`.execute(tx);
  return rows[0] ?? null;
}

export async function keepNightState(
  tx: PlatformTx,
  day: string,
  { problem, waiting }: Pick<NightState, 'problem' | 'waiting'>,
): Promise<void> {
  await sql`
    insert into solvency_state (day, tried_at, problem, waiting) values (${day}, now(), ${problem}, ${waiting})
    on conflict (one) do update set day = excluded.day, tried_at = excluded.tried_at, problem = excluded.problem,
      waiting = excluded.waiting`.execute(tx);
}

/** When an operator last asked for another try. */
export async function lastRequest(tx: PlatformTx): Promise<Date | null> {
  const { rows } = await sql<{ at: Date | null }>`select solvency_requested_at() as at`.execute(tx);
  return rows[0]?.at ?? null;
}
