import { sql } from 'kysely';
import type { Tx } from '../../../platform/database/database.ts';

/** A day of a time zone: `date` as YYYY-MM-DD, and the instant at which it is over. */
export interface Day {
  date: string;
  end: Date;
}

/**
 * The day of `now` in an IANA time zone and the `before` days before it, the oldest first; days of 23 and 25 hours among them.
 * A series of timestamps: of dates it would be one of instants in the session's time zone.
 */
export async function findDays(tx: Tx, timeZone: string, now: Date, before: number): Promise<Day[]> {
  const { rows } = await sql<Day>`
    select to_char(d.day, 'YYYY-MM-DD') as date, day_begins(d.day::date + 1, ${timeZone}) as "end"
    from (select (${now}::timestamptz at time zone ${timeZone})::date as day) as today,
      generate_series((today.day - ${before}::integer)::timestamp, today.day::timestamp, interval '1 day') as d (day)
    order by d.day`.execute(tx);
  return rows;
}
