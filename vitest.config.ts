import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { calls } from './web/vite/calls.ts';
import { consoles } from './web/vite/consoles.ts';
import { texts } from './web/vite/texts.ts';

const node = {
  environment: 'node' as const,
  testTimeout: 30_000,
  hookTimeout: 120_000,
  // A condition that is waited for takes as long as the machine needs; vitest's own second is too short for a busy one.
  expect: { poll: { timeout: 20_000 } },
};

/** The web app's tests: a company's console with the texts of all features. */
const tested = { ...consoles.company, features: [...consoles.company.features, 'operator'] };

/** Tests of the server that put another module in the place of one of ours: they need modules of their own. */
const mocking = globSync('server/src/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(`${import.meta.dirname}/${file}`, 'utf8').includes('vi.mock('),
);

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      {
        test: {
          ...node,
          name: 'contract',
          include: ['contract/src/**/*.test.ts', 'tools/**/*.test.ts'],
        },
      },
      {
        root: 'web',
        plugins: [texts(tested), calls(consoles.company)],
        test: { ...node, name: 'web', include: ['src/**/*.test.ts', 'vite/**/*.test.ts'] },
      },
      {
        test: {
          ...node,
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          exclude: mocking,
          globalSetup: ['tools/test-postgres.ts'],
          // Each of almost two hundred files would otherwise load the whole server again, which is half of all processor time.
          isolate: false,
        },
      },
      {
        test: { ...node, name: 'server-mocking', include: mocking, globalSetup: ['tools/test-postgres.ts'] },
      },
      { test: { ...node, name: 'sandbox', include: ['sandbox/src/**/*.test.ts'], testTimeout: 120_000 } },
      {
        test: {
          ...node,
          name: 'faults',
          testTimeout: 180_000,
          include: ['e2e/faults/**/*.test.ts'],
          // After all the others: what is killed here has its times to keep. The two files mostly wait, each for a product of
          // its own, and run side by side; one after another only where it is measured how long a recovery takes.
          sequence: { groupOrder: 1 },
          fileParallelism: process.env['PROOF_ROUNDS'] === undefined,
        },
      },
    ],
  },
});
