import { Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';
import { readUndelivered } from './store/messages.ts';

const waiting = new Gauge({
  name: 'causeway_trade_messages_waiting',
  help: 'Confirmations that the trade platform has not accepted, up to 10000',
  registers: [registry],
});
const age = new Gauge({
  name: 'causeway_trade_messages_age_seconds',
  help: 'How long the oldest confirmation waits that the trade platform has not accepted',
  registers: [registry],
});

/** Longer than any platform should be away without a person looking. */
const lateAfterSeconds = 300;

/** Whether the trade platform takes what companies confirm. */
export function tradePlatformCheck(database: Database): HealthCheck {
  return {
    name: 'trade-platform',
    need: 'degraded',
    async check() {
      const undelivered = await database.withoutCompany(readUndelivered);
      waiting.set(undelivered.waiting);
      age.set(undelivered.age);
      if (undelivered.age > lateAfterSeconds) {
        throw new HealthProblem('tradePlatform', { count: undelivered.waiting, seconds: Math.round(undelivered.age) });
      }
    },
  };
}
