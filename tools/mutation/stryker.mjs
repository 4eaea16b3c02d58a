import { groupOfProcess } from './groups.ts';

const group = groupOfProcess();
const only = process.env['MUTATION_ONLY'] || '';

/** Stryker's configuration for one group of groups.ts; started by run.ts. */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Signers set the umask, which a thread may not.
  vitest: { configFile: 'tools/mutation/vitest.ts', pool: 'forks' },
  mutate: [...(only === '' ? group.mutate : only.split(',')), '!**/*.test.ts'],
  // Texts of errors and of logs are not behaviour; those of refusals are held by types.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: Number(process.env['MUTATION_WORKERS'] || '2'),
  tempDirName: '.cache/stryker',
  ignorePatterns: ['.cache', '.sandbox*', 'web/dist', 'web/dist-operator', 'docs', 'e2e/results'],
  // A busy machine must not pass for an endless loop, whose mutant would count as killed.
  timeoutMS: group.isPure ? 5000 : 60_000,
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['progress-append-only', 'json'],
  jsonReporter: { fileName: `.cache/results/mutation-${group.name}.json` },
  incremental: Boolean(process.env['MUTATION_INCREMENTAL']),
  incrementalFile: `.cache/results/mutation-${group.name}.incremental.json`,
  disableTypeChecks: false,
};
