import { groupOfProcess } from './groups.ts';

const group = groupOfProcess();

/** Stryker's configuration for one group of groups.mjs; started by run.ts. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Signers set the umask, which a thread may not.
  vitest: { configFile: 'tools/mutation/vitest.ts', pool: 'forks' },
  mutate: [...group.mutate, '!**/*.test.ts'],
  // Texts of errors and of logs are not behaviour; those of refusals are held by types.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 2,
  tempDirName: '.cache/stryker',
  ignorePatterns: ['.cache', '.sandbox*', 'web/dist', 'web/dist-operator', 'docs', 'e2e/results'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: `.cache/results/mutation-${group.name}.json` },
  disableTypeChecks: false,
};
