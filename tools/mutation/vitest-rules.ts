import { defineConfig } from 'vitest/config';

/** Tests of pure rules: no database, no clock. */
export default defineConfig({
  test: {
    environment: 'node',
    include: [
      'contract/src/money.test.ts',
      'server/src/features/risk/{domain,domain.property}.test.ts',
      'server/src/features/transfers/domain.test.ts',
    ],
  },
});
