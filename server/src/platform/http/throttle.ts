import { sql } from 'kysely';
import type { PlatformTx } from '../database/database.ts';

/**
 * Counts one event in a bucket (say `login:ip:…`) and tells how many there were in the running window, this one
 * included. Shared by all processes; the window starts with its first event.
 */
export async function countEvent(tx: PlatformTx, bucket: string, windowMs: number): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    insert into throttle as t (bucket, events, window_ends_at)
    values (${bucket}, 1, now() + make_interval(secs => ${windowMs / 1000}))
    on conflict (bucket) do update set
      events = case when t.window_ends_at <= now() then 1 else t.events + 1 end,
      window_ends_at = case when t.window_ends_at <= now() then excluded.window_ends_at else t.window_ends_at end
    returning events`.execute(tx);
  return rows[0]?.events ?? 0;
}

/** Takes one event back: what was counted beforehand turned out to be no failure. */
export async function uncountEvent(tx: PlatformTx, bucket: string): Promise<void> {
  await sql`update throttle set events = events - 1 where bucket = ${bucket} and events > 0`.execute(tx);
}

/** How many events the running window of a bucket has, without counting one. */
export async function eventsIn(tx: PlatformTx, bucket: string): Promise<number> {
  const { rows } = await sql<{ events: number }>`
    select events from throttle where bucket = ${bucket} and window_ends_at > now()`.execute(tx);
  return rows[0]?.events ?? 0;
}

/** Forgets a bucket, e.g. after a sign-in that succeeded. */
export async function clearEvents(tx: PlatformTx, bucket: string): Promise<void> {
  await sql`delete from throttle where bucket = ${bucket}`.execute(tx);
}

/**
 * Removes at most `limit` buckets whose window is long over and returns how many; besides the hourly sweep, every caller that makes
 * buckets that are never met again calls it.
 */
export async function sweepEvents(tx: PlatformTx, limit = 50): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from throttle where bucket in (
      select bucket from throttle where window_ends_at < now() - interval '1 hour'
      order by window_ends_at limit ${limit} for update skip locked
    )`.execute(tx);
  return Number(numAffectedRows ?? 0);
}
