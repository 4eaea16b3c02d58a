import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { queueKinds, queueRules } from '@causeway/contract/operator-queue-rules.ts';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import '../compose.ts';
import '../compose-operator.ts';
import '../platform/audit/sealing.ts';
import '../platform/jobs/jobs.ts';
import '../platform/process/heartbeat.ts';
import '../worker-health.ts';
import { registry } from '../platform/process/metrics.ts';

/** The sample rules are rules, speak of metrics that the processes have, and docs/OPERATIONS.md says what to do about each. */

const rule = z.strictObject({
  alert: z.string().regex(/^[A-Z]\w+$/),
  expr: z.string().min(1),
  for: z
    .string()
    .regex(/^\d+[smh]$/)
    .optional(),
  labels: z.strictObject({ severity: z.enum(['page', 'ticket']) }),
  annotations: z.strictObject({ summary: z.string().min(1), runbook: z.string().optional() }),
});
const file = z.strictObject({
  groups: z.array(z.strictObject({ name: z.string(), rules: z.array(rule).min(1) })).min(1),
});
const text = readFileSync(join(import.meta.dirname, '../../../docs/alerts/causeway.rules.yml'), 'utf8');
const rules = file.parse(parse(text)).groups.flatMap((group) => group.rules);

test('every rule has a name of its own', () => {
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
});

test.each(rules)('$alert speaks of metrics and labels that there are', async ({ expr }) => {
  const metrics = await registry.getMetricsAsJSON();
  const known = new Map(metrics.map((metric) => [metric.name, metric]));
  const named = [...expr.matchAll(/\bcauseway_\w+/g)].map(([name]) => name);
  if (named.length === 0) expect(expr).toMatch(/^up\{/);
  for (const name of named) expect([...known.keys()]).toContain(name.replace(/_(bucket|count|sum)$/, ''));
});

test('OPERATIONS explains every rule', () => {
  const operations = readFileSync(join(import.meta.dirname, '../../../docs/OPERATIONS.md'), 'utf8');
  const explained = [...operations.matchAll(/^\| `(\w+)` \|/gm)].map(([, name]) => name);
  expect(rules.map(({ alert }) => alert).filter((alert) => !explained.includes(alert))).toEqual([]);
});

test('the rule of items that no one has taken names every urgent kind', () => {
  const named = /kind=~"([^"]*)"/.exec(text)?.[1]?.split('|') ?? [];
  expect(named.sort()).toEqual(queueKinds.filter((kind) => queueRules[kind].urgency === 'urgent').sort());
});

test('every gauge of what can go wrong has a rule', async () => {
  const metrics = await registry.getMetricsAsJSON();
  const gauges = metrics
    .map(({ name }) => name)
    .filter((name) =>
      /^causeway_(outbox|jobs|gas|wallets|price|watcher|verification|files|operator)_.*(seconds|payments|frozen|good|left|blocks|agrees|bytes|open)$/.test(
        name,
      ),
    );
  expect(gauges.length).toBeGreaterThan(4);
  for (const gauge of gauges) expect(text).toContain(gauge);
});
