import { valuationCurrency } from '@causeway/contract/rates.ts';
import { sql } from 'kysely';
import type { PlatformTx } from '../../../platform/database/database.ts';
import { aheadMs, type MidOutcome, type MidProblem, type SourcePrice } from './domain.ts';

/**
 * The middle price of an asset in US dollars per whole unit, a plain decimal of at most 20 significant digits. A price with a problem is
 * the last one that held, if there was any, and must not be quoted.
 */
export type Mid = { asset: string; sources: string[] } & (
  | { usd: string; at: Date; problem: null }
  | { usd: string | null; at: Date | null; problem: MidProblem }
);

/**
 * The middle price of each of the assets, in their order and each once; judged by the database's clock at this moment, so that a price
 * outlives neither its sources nor the worker that keeps it. The US dollar is 1 by definition. Can be read in batches of companies.
 */
export async function findMids(tx: PlatformTx, assets: readonly string[]): Promise<Mid[]> {
  const { rows } = await sql<Mid>`
    select a.id as asset, m.usd::text, m.at, coalesce(m.sources, '{}') as sources,
      case when m.asset_id is null then 'none'
        when m.problem is not null then m.problem
        when m.holds_until <= clock_timestamp() then 'stale' end as problem
    from unnest(${[...new Set(assets)]}::text[]) with ordinality as a (id, place)
    left join rate_mid m on m.asset_id = a.id
    where a.id <> ${valuationCurrency}
    union all
    select ${valuationCurrency}, '1', clock_timestamp(), '{}', null where ${valuationCurrency} = any (${[...assets]}::text[])`.execute(
    tx,
  );
  const byAsset = new Map(rows.map((row) => [row.asset, row]));
  return [...new Set(assets)].flatMap((asset) => byAsset.get(asset) ?? []);
}

/** What a source said when it was asked. */
export interface SourceAnswer {
  source: string;
  role: 'price' | 'band';
  /** What it says of each asset; the time until which it is young enough follows from `maxAgeMs`. */
  prices: readonly { asset: string; bid: string; ask: string; at: Date; fault: SourcePrice['fault'] }[];
  maxAgeMs: number;
  /** Pause between two turns. */
  pollMs: number;
}

/** A source that misses so many turns, and half a minute, is silent. */
const turnsMissed = 3;
const silentAfterMs = 30_000;

/**
 * Keeps what a source says. An older price never replaces a newer one, unless the newer one is from the future. A source's clock that is
 * a little ahead of the database's makes no price younger than the answer.
 */
export async function keepAnswer(tx: PlatformTx, answer: SourceAnswer): Promise<void> {
  const { source, role, prices, maxAgeMs, pollMs } = answer;
  await sql`
    insert into rate_source (source, role, succeeded_at, due_at)
    values (${source}, ${role}, clock_timestamp(), clock_timestamp() + ${Math.max(pollMs * turnsMissed, silentAfterMs)} * interval '1 millisecond')
    on conflict (source) do update set role = excluded.role, succeeded_at = excluded.succeeded_at, due_at = excluded.due_at,
      problem = null`.execute(tx);
  await sql`
    insert into rate_source_price as p (source, asset_id, bid, ask, at, expires_at, fault)
    select ${source}, asset, bid, ask, time, time + ${maxAgeMs} * interval '1 millisecond', fault
    from unnest(${prices.map(({ asset }) => asset)}::text[], ${prices.map(({ bid }) => bid)}::numeric[],
      ${prices.map(({ ask }) => ask)}::numeric[], ${prices.map(({ at }) => at)}::timestamptz[],
      ${prices.map(({ fault }) => fault)}::text[]) as said (asset, bid, ask, at, fault)
    cross join lateral (
      select case when at > clock_timestamp() + ${aheadMs} * interval '1 millisecond' then at else least(at, clock_timestamp()) end as time
    ) as read
    on conflict (source, asset_id) do update set bid = excluded.bid, ask = excluded.ask, at = excluded.at,
      expires_at = excluded.expires_at, received_at = excluded.received_at, fault = excluded.fault
    where excluded.at >= p.at or p.at > clock_timestamp()`.execute(tx);
}

/** A source that could not be asked, and why in a word: never what it said. */
export interface SourceRefusal {
  source: string;
  role: 'price' | 'band';
  problem: string;
}

export async function keepFailure(tx: PlatformTx, { source, role, problem }: SourceRefusal): Promise<void> {
  await sql`
    insert into rate_source (source, role, failed_at, problem, due_at)
    values (${source}, ${role}, clock_timestamp(), ${problem}, clock_timestamp())
    on conflict (source) do update set role = excluded.role, failed_at = excluded.failed_at, problem = excluded.problem`.execute(
    tx,
  );
}

/** Forgets what sources said that are no longer asked. */
export async function forgetSources(tx: PlatformTx, configured: readonly string[]): Promise<void> {
  await sql`delete from rate_source where source <> all (${[...configured]}::text[])`.execute(tx);
}

/** Everything that the mids follow from. */
export interface MidState {
  now: Date;
  /** By asset; of sources of prices alone. */
  prices: Map<string, SourcePrice[]>;
  /** Reference rates that are young enough, by currency. */
  band: Map<string, string>;
  last: Map<string, { usd: string; heldUntil: Date }>;
}

/** Reads it, alone: the mids of two workers are made one after the other. */
export async function readMidState(tx: PlatformTx): Promise<MidState> {
  await sql`select pg_advisory_xact_lock(hashtextextended('rates.mids', 0))`.execute(tx);
  const said = await sql<SourcePrice & { asset: string; role: 'price' | 'band'; isYoung: boolean; now: Date }>`
    select p.source, s.role, p.asset_id as asset, p.bid::text, p.ask::text, p.at, p.expires_at as "expiresAt", p.fault,
      p.expires_at > clock_timestamp() as "isYoung"
    from rate_source_price p join rate_source s using (source) order by p.source, p.asset_id`.execute(tx);
  const kept = await sql<{ asset: string; usd: string; heldUntil: Date }>`
    select asset_id as asset, usd::text, holds_until as "heldUntil" from rate_mid where usd is not null`.execute(tx);
  const clock = await sql<{ now: Date }>`select clock_timestamp() as now`.execute(tx);
  const prices = Map.groupBy(
    said.rows.filter(({ role }) => role === 'price'),
    ({ asset }) => asset,
  );
  const band = said.rows.filter(({ role, isYoung, fault }) => role === 'band' && isYoung && fault === null);
  return {
    now: clock.rows[0]?.now ?? new Date(),
    prices,
    band: new Map(band.map(({ asset, bid }) => [asset, bid])),
    last: new Map(kept.rows.map((row) => [row.asset, row])),
  };
}

/** The outcome for one asset. */
export interface MadeMid extends MidOutcome {
  asset: string;
  needed: number;
}

/** Keeps mids, why sources were left out, and those that hold as points of their minute, hour and day. A problem leaves the last mid. */
export async function keepMids(tx: PlatformTx, made: readonly MadeMid[], now: Date): Promise<void> {
  if (made.length === 0) return;
  const column = <T>(of: (mid: MadeMid) => T) => made.map(of);
  await sql`
    insert into rate_mid as m (asset_id, usd, at, holds_until, sources, needed, problem, problem_since, checked_at)
    select asset, usd, at, holds_until, string_to_array(sources, ','), needed, problem, case when problem is not null then ${now}::timestamptz end, ${now}
    from unnest(${column(({ asset }) => asset)}::text[], ${column(({ mid }) => mid?.usd ?? null)}::numeric[],
      ${column(({ mid }) => mid?.at ?? null)}::timestamptz[], ${column(({ mid }) => mid?.holdsUntil ?? null)}::timestamptz[],
      ${column(({ mid }) => mid?.sources.join(',') ?? '')}::text[], ${column(({ needed }) => needed)}::integer[],
      ${column(({ problem }) => problem)}::text[]) as made (asset, usd, at, holds_until, sources, needed, problem)
    on conflict (asset_id) do update set
      usd = coalesce(excluded.usd, m.usd), at = coalesce(excluded.at, m.at), holds_until = coalesce(excluded.holds_until, m.holds_until),
      sources = case when excluded.usd is null then m.sources else excluded.sources end, needed = excluded.needed,
      problem = excluded.problem, checked_at = excluded.checked_at,
      problem_since = case when excluded.problem is not distinct from m.problem then m.problem_since else excluded.problem_since end`.execute(
    tx,
  );
  const leftOut = made.flatMap(({ asset, leftOut: sources }) => sources.map((each) => ({ asset, ...each })));
  await sql`
    update rate_source_price p set left_out = found.fault
    from rate_source_price q
    left join unnest(${leftOut.map(({ source }) => source)}::text[], ${leftOut.map(({ asset }) => asset)}::text[],
      ${leftOut.map(({ fault }) => fault)}::text[]) as found (source, asset, fault) on found.source = q.source and found.asset = q.asset_id
    where p.source = q.source and p.asset_id = q.asset_id and p.left_out is distinct from found.fault`.execute(tx);
  const held = made.flatMap(({ asset, mid }) => (mid ? [{ asset, usd: mid.usd }] : []));
  await sql`
    insert into rate_mid_point (asset_id, grain, at, usd)
    select asset, grain, date_trunc(grain, ${now}::timestamptz, 'UTC'), usd
    from unnest(${held.map(({ asset }) => asset)}::text[], ${held.map(({ usd }) => usd)}::numeric[]) as held (asset, usd)
    cross join unnest('{minute,hour,day}'::text[]) as grain
    on conflict (asset_id, grain, at) do update set usd = excluded.usd`.execute(tx);
}

/** Removes at most `most` points that have served their time; returns how many. */
export async function sweepPoints(tx: PlatformTx, most: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from rate_mid_point where ctid = any (array(
      select ctid from rate_mid_point
      where grain = 'minute' and at < now() - interval '2 days' or grain = 'hour' and at < now() - interval '40 days'
      limit ${most}))`.execute(tx);
  return Number(numAffectedRows ?? 0n);
}
