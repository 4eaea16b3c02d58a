import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';

const used = new Gauge({
  name: 'causeway_position_used_percent',
  help: 'How much of its limit the platform’s position in an asset uses, per cent',
  labelNames: ['asset'],
  registers: [registry],
});
const unknown = new Gauge({
  name: 'causeway_hedge_orders_unknown',
  help: 'Hedge orders of which no venue has said what became of them',
  registers: [registry],
});
const failing = new Gauge({
  name: 'causeway_venue_failing_seconds',
  help: 'For how long a venue has not answered; 0 while it does',
  labelNames: ['venue'],
  registers: [registry],
});
const due = new Gauge({
  name: 'causeway_exchanges_due',
  help: 'Executed exchanges that are not in the position yet',
  registers: [registry],
});

/** A venue that fails for a moment is asked again; from here on the check says so. */
const toleratedSeconds = 60;

/** Whether venues answer and orders are known; and, in gauges, how much of the limits is used. */
export function hedgingCheck(database: Database): HealthCheck {
  return {
    name: 'hedging',
    need: 'degraded',
    async check() {
      const { venues, positions, counts } = await database.withoutCompany(async (tx) => ({
        venues: await sql<{ id: string; seconds: number }>`
          select id, coalesce(extract(epoch from now() - failing_since), 0)::float8 as seconds from exchange_venue where pairs <> '[]'`.execute(
          tx,
        ),
        positions: await sql<{ asset: string; percent: number }>`
          select a.id as asset, (abs(e.minor) * 100 / nullif(case when e.minor < 0 then l.most_short else l.most_long end, 0))::float8 as percent
          from asset a
          cross join lateral (select exchange_exposure(a.id) as minor) e
          cross join lateral (select most_long, most_short from exchange_limit where asset_id = a.id order by number desc limit 1) l`.execute(
          tx,
        ),
        counts: await sql<{ unknown: number; due: number }>`
          select (select count(*) from hedge_order where ended_at is null and state in ('sending', 'unknown'))::integer as unknown,
            (select count(*) from exchange_due)::integer as due`.execute(tx),
      }));
      for (const { id, seconds } of venues.rows) failing.set({ venue: id }, seconds);
      used.reset();
      for (const { asset, percent } of positions.rows) if (percent !== null) used.set({ asset }, percent);
      unknown.set(counts.rows[0]?.unknown ?? 0);
      due.set(counts.rows[0]?.due ?? 0);
      const silent = venues.rows.filter(({ seconds }) => seconds > toleratedSeconds).map(({ id }) => id);
      if (silent.length > 0) throw new HealthProblem('venuesFailing', { venues: silent.join(', ') });
    },
  };
}
