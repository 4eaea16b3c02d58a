import { defineConfig } from 'vitest/config';
import { groupOfProcess } from './groups.ts';

const group = groupOfProcess();

/** The tests of one group; PostgreSQL is started where they need it. */
export default defineConfig({
  test: {
    environment: 'node',
    testTimeout: 30_000,
    hookTimeout: 120_000,
    include: [...group.tests],
    ...(group.name === 'rules' ? {} : { globalSetup: ['tools/test-postgres.ts'] }),
  },
});
