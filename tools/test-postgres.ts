import { startPostgres } from '@causeway/sandbox/postgres.ts';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { registerChains } from '../server/src/features/chains/index.ts';
import { migrate } from '../server/src/platform/database/migrations.ts';
import { chainFamilies } from '../server/src/testing/chain-families.ts';
import { temporaryPlace } from './temporary.mjs';

declare module 'vitest' {
  interface ProvidedContext {
    postgres: { superuserUrl: string; password: string; template: string };
  }
}

const password = 'test-password';
const template = 'causeway_template';

/** What the tests call the sandbox's chain: the shape of CHAINS_FILE with addresses that nothing listens on. */
const chains = [
  {
    id: 'ethereum',
    family: 'evm' as const,
    name: 'Ethereum',
    chainId: 31_337,
    rpcUrls: ['http://127.0.0.1:1'],
    confirmations: 6,
    pollIntervalMs: 100,
    rpcTimeoutMs: 1000,
    blockTimeMs: 12_000,
    replaceAfterBlocks: 10,
    nativeCoin: 'ETH',
    explorerUrl: null,
    tokens: [
      { coin: 'USDT', contract: '0x1111111111111111111111111111111111111111' },
      { coin: 'USDC', contract: '0x2222222222222222222222222222222222222222' },
      { coin: 'HKDT', contract: '0x3333333333333333333333333333333333333333' },
    ],
  },
];

/** Tests open thousands of connections: the thousands of rounds of each password would be a part of the run that can be seen. */
const cheap = { scram_iterations: '1' };

interface Shared {
  provided: { superuserUrl: string; password: string; template: string };
  stop(): Promise<void>;
}

/** Each project of the run has this module to itself and asks for the same database: started by the first, ended with the last. */
const shared = globalThis as { causewayTestPostgres?: { users: number; started: Promise<Shared> } };

/** One real PostgreSQL for the run, with a migrated template that each test file clones. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  shared.causewayTestPostgres ??= { users: 0, started: start() };
  const run = shared.causewayTestPostgres;
  run.users += 1;
  const { provided, stop } = await run.started;
  project.provide('postgres', provided);
  return async () => {
    run.users -= 1;
    if (run.users > 0) return;
    delete shared.causewayTestPostgres;
    await stop();
  };
}

async function start(): Promise<Shared> {
  const options = { temporaryIn: temporaryPlace(), fsync: false, maxConnections: 400, settings: cheap };
  const postgres = await startPostgres(options);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query(`alter role current_user password '${postgres.password}'`);
  await client.query(`create database ${template}`);
  await client.end();
  const roles = [
    'causeway_app',
    'causeway_worker',
    'causeway_signer',
    'causeway_operator',
    'causeway_console',
  ] as const;
  const url = postgres.urlFor(template);
  await migrate(
    url,
    roles.map((name) => ({ name, password })),
  );
  await registerChains(url, chainFamilies, chains);
  return { provided: { superuserUrl: postgres.url, password, template }, stop: () => postgres.stop() };
}
