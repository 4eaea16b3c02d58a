import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';
import { countUnknown } from './hedging/store.ts';
import { findSilence } from './hedging/venue-store.ts';
import { countDue, findUsed } from './position/store.ts';

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
      const found = await database.withoutCompany(async (tx) => ({
        venues: await findSilence(tx),
        positions: await findUsed(tx),
        unknown: await countUnknown(tx),
        due: await countDue(tx),
      }));
      for (const { id, seconds } of found.venues) failing.set({ venue: id }, seconds);
      used.reset();
      for (const { asset, percent } of found.positions) if (percent !== null) used.set({ asset }, percent);
      unknown.set(found.unknown);
      due.set(found.due);
      const silent = found.venues.filter(({ seconds }) => seconds > toleratedSeconds).map(({ id }) => id);
      if (silent.length > 0) throw new HealthProblem('venuesFailing', { venues: silent.join(', ') });
    },
  };
}
