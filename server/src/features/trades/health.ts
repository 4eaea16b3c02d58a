import { sql } from 'kysely';
import { Gauge } from 'prom-client';
import type { Database, PlatformTx } from '../../platform/database/database.ts';
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

/** Whether workers have checked a trade platform lately, which they do where one is connected: what a process knows that takes none of its events. */
export async function isTradePlatformChecked(tx: PlatformTx): Promise<boolean> {
  const { rows } = await sql<{ isChecked: boolean }>`select trade_platform_checked() as "isChecked"`.execute(tx);
  return rows[0]?.isChecked === true;
}

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
