import { type WebhookProblem, webhookProblems } from '@causeway/contract/webhooks-rules.ts';
import { Counter, Gauge } from 'prom-client';
import type { Database } from '../../platform/database/database.ts';
import { type HealthCheck, HealthProblem } from '../../platform/process/health.ts';
import { registry } from '../../platform/process/metrics.ts';
import { readBacklog } from './store/deliveries.ts';

const waiting = new Gauge({
  name: 'causeway_webhooks_waiting',
  help: 'Webhooks that wait to be delivered, up to 10000; state failing: their endpoint failed last',
  labelNames: ['state'],
  registers: [registry],
});
const age = new Gauge({
  name: 'causeway_webhooks_age_seconds',
  help: 'How long the oldest webhook is overdue whose endpoint does not fail',
  registers: [registry],
});
const attempts = new Counter({
  name: 'causeway_webhook_attempts_total',
  help: 'Attempts to deliver webhooks, by what came of them',
  labelNames: ['outcome'],
  registers: [registry],
});
for (const outcome of ['delivered', ...webhookProblems]) attempts.inc({ outcome }, 0);

export function countAttempt(problem: WebhookProblem | null): void {
  attempts.inc({ outcome: problem ?? 'delivered' });
}

/** Later than this the worker itself does not keep up: an endpoint that fails is its company's concern. */
const lateAfterSeconds = 300;

/** Whether webhooks are delivered in time to endpoints that accept them. */
export function webhooksCheck(database: Database): HealthCheck {
  return {
    name: 'webhooks',
    need: 'degraded',
    async check() {
      const backlog = await database.withoutCompany(readBacklog);
      waiting.set({ state: 'due' }, backlog.waiting - backlog.failing);
      waiting.set({ state: 'failing' }, backlog.failing);
      age.set(backlog.age);
      if (backlog.age > lateAfterSeconds) throw new HealthProblem('webhooks', { seconds: Math.round(backlog.age) });
    },
  };
}
