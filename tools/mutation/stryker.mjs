/**
 * What `npm run proof:mutation` mutates, and by which tests. Two runs: `rules` are pure and take milliseconds a mutant;
 * `services` run on a real PostgreSQL. SQL is mutated by sql.ts beside this file, since Stryker reads none.
 */
const runs = {
  rules: {
    mutate: [
      'contract/src/money.ts',
      'server/src/features/risk/{domain,first-match}.ts',
      'server/src/features/transfers/domain.ts',
    ],
    tests: 'tools/mutation/vitest-rules.ts',
  },
  services: {
    mutate: [
      'server/src/platform/{idempotency,seal}.ts',
      'server/src/features/{approvals,ledger}/domain.ts',
      'server/src/features/approvals/service/{decide,routing,second-person}.ts',
      'server/src/features/risk/service/assess.ts',
      'server/src/features/transfers/service/{submit,cancel,release}.ts',
      'server/src/features/transfers/signing/*.ts',
    ],
    tests: 'tools/mutation/vitest-services.ts',
  },
};
const run = process.env['MUTATION_RUN'] === 'services' ? runs.services : runs.rules;

export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner'],
  // Signers set the umask, which a thread may not.
  vitest: { configFile: run.tests, pool: 'forks' },
  mutate: [...run.mutate, '!**/*.test.ts'],
  // Texts of errors and of logs are not behaviour; those of refusals are held by types.
  mutator: { excludedMutations: ['StringLiteral'] },
  concurrency: 2,
  tempDirName: '.cache/stryker',
  ignorePatterns: ['.cache', '.sandbox*', 'web/dist', 'docs', 'e2e/results'],
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  reporters: ['clear-text', 'json'],
  jsonReporter: { fileName: `.cache/results/mutation-${process.env['MUTATION_RUN'] ?? 'rules'}.json` },
  clearTextReporter: { allowColor: false, reportTests: false, logTests: false },
  disableTypeChecks: false,
};
