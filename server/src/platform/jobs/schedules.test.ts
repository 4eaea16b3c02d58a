import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseCronItems } from 'graphile-worker';
import { expect, test } from 'vitest';
import { cronItemOf } from './cron.ts';

/** A worker whose queue cannot read one schedule does not start. */
test('every schedule in the sources is one that the queue reads', () => {
  const root = join(import.meta.dirname, '../..');
  const files = globSync('**/*.ts', { cwd: root }).filter((file) => !file.endsWith('.test.ts'));
  const schedules = files.flatMap((file) =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/\bschedule: '([^']+)'/g)].map(([, text = '']) => text),
  );
  expect(schedules.length).toBeGreaterThan(10);
  for (const schedule of new Set(schedules)) {
    expect(() => parseCronItems([cronItemOf({ name: 'job', schedule })]), schedule).not.toThrow();
  }
});
