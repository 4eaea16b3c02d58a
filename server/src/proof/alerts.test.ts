import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import * as z from 'zod';
import '../compose.ts';
import '../platform/audit/sealing.ts';
import '../platform/jobs/jobs.ts';
import '../worker-health.ts';
import { registry } from '../platform/process/metrics.ts';

/** The sample rules in docs/alerts.yml are rules, and speak of metrics that the processes have. */

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
const text = readFileSync(join(import.meta.dirname, '../../../docs/alerts.yml'), 'utf8');
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

test('every gauge of what can go wrong has a rule', async () => {
  const metrics = await registry.getMetricsAsJSON();
  const gauges = metrics
    .map(({ name }) => name)
    .filter((name) => /^causeway_(outbox|jobs|gas|wallets|price)_.*(seconds|payments|frozen|good)$/.test(name));
  expect(gauges.length).toBeGreaterThan(4);
  for (const gauge of gauges) expect(text).toContain(gauge);
});
