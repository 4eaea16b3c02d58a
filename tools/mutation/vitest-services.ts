import { defineConfig } from 'vitest/config';

/** Tests of the services that money goes through, on a real PostgreSQL. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    include: [
      'server/src/platform/{idempotency,seal}.test.ts',
      'server/src/features/approvals/{routes,second-person,machine.property,findings.property}.test.ts',
      'server/src/features/ledger/*.test.ts',
      'server/src/features/approvals/service/decide.test.ts',
      'server/src/features/risk/service/assess.test.ts',
      'server/src/features/transfers/service/{submit,cancel,stopping,foreseeing}.test.ts',
      'server/src/features/transfers/signing/*.test.ts',
    ],
    globalSetup: ['tools/test-postgres.ts'],
  },
});
