import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { calls } from './web/vite/calls.ts';
import { consoles } from './web/vite/consoles.ts';
import { texts } from './web/vite/texts.ts';

const node = {
  environment: 'node' as const,
  // A test that is too slow is so by hours; a busy machine makes one slow by a minute.
  testTimeout: 120_000,
  hookTimeout: 240_000,
  // A condition that is waited for takes as long as the machine needs; vitest's own second is too short for a busy one.
  expect: { poll: { timeout: 20_000 } },
};

/** The web app's tests: a company's console with the texts of all features. */
const tested = { ...consoles.company, features: [...consoles.company.features, 'operator'] };

/** Tests of a directory that put something else in the place of a module or of a global: they need modules of their own. */
function replacing(directory: string, what: RegExp): string[] {
  const files = globSync('**/*.test.ts', { cwd: directory, exclude: ['**/node_modules'] });
  return files.filter((file) => what.test(readFileSync(`${directory}/${file}`, 'utf8')));
}

const server = `${import.meta.dirname}/server`;
const serverMocking = replacing(server, /vi\.mock\(/).map((file) => `server/${file}`);
const webApart = replacing(`${import.meta.dirname}/web`, /vi\.(mock|resetModules|stubGlobal)\(|globalThis/);

const web = () => ({ root: 'web', plugins: [texts(tested), calls(consoles.company)] });

/** Room for what is young: with Node's 16 MB, a worker with the whole server spends a tenth of its time collecting it. */
const roomy = '--max-semi-space-size=64';

const isProof = process.env['PROOF_ROUNDS'] !== undefined;

export default defineConfig({
  test: {
    // One more than the two cores that the run is measured on: a worker waits a quarter of its time, for processes that start,
    // for blocks, for pauses that are under test.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...node,
          name: 'contract',
          include: ['contract/src/**/*.test.ts', 'tools/**/*.test.ts'],
          isolate: false,
        },
      },
      {
        ...web(),
        test: {
          ...node,
          name: 'web',
          include: ['src/**/*.test.ts', 'vite/**/*.test.ts'],
          exclude: webApart,
          isolate: false,
        },
      },
      { ...web(), test: { ...node, name: 'web-apart', include: webApart } },
      {
        test: {
          ...node,
          name: 'server',
          include: ['server/src/**/*.test.ts'],
          exclude: serverMocking,
          globalSetup: ['tools/test-postgres.ts'],
          // Each of almost two hundred files would otherwise load the whole server again, which is half of all processor time.
          isolate: false,
          // Node strips the types itself and keeps the compiled code, so that nothing is transformed for each worker, and what modules
          // import from each other is not looked up at every use.
          experimental: { viteModuleRunner: false, nodeLoader: false },
          execArgv: [roomy],
        },
      },
      {
        test: { ...node, name: 'server-mocking', include: serverMocking, globalSetup: ['tools/test-postgres.ts'] },
      },
      {
        test: {
          ...node,
          name: 'sandbox',
          include: ['sandbox/src/**/*.test.ts'],
          testTimeout: 120_000,
          // Whole products start.
          hookTimeout: 240_000,
        },
      },
      {
        test: {
          ...node,
          name: 'faults',
          testTimeout: 180_000,
          hookTimeout: 240_000,
          // The whole product on a faulty chain and under kills: the rules are tested with the server, and one journey sees a reorganisation.
          include: isProof ? ['e2e/faults/**/*.test.ts'] : [],
          // Where it is measured how long a recovery takes, the files run after all the others, and one after another.
          sequence: { groupOrder: 1 },
          fileParallelism: false,
        },
      },
    ],
  },
});
