import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type Postgres, startPostgres } from '@causeway/sandbox/postgres.ts';
import pg from 'pg';
import { registerChains } from '../server/src/features/chains/registry.ts';
import { type Database, openDatabase } from '../server/src/platform/database/database.ts';
import { migrate } from '../server/src/platform/database/migrations.ts';
import { chainFamilies } from '../server/src/testing/chain-families.ts';

/** A database with the product's schema. */
export interface StageDatabase {
  /** Address as one of the product's roles, or as the superuser. */
  urlFor(role?: string): string;
  /** The superuser's own connection: seeding and looking. */
  admin: pg.Client;
  /** As CHAINS_FILE lists them; nothing listens at their addresses. */
  chains: typeof chains;
  close(): Promise<void>;
}

/** One real PostgreSQL, writing through to the disk, with the product's schema and, beside it, the baseline's. */
export interface Stage extends StageDatabase {
  postgres: Postgres;
  /** As the HTTP process connects. */
  open(poolSize: number): Database;
}

const database = 'causeway';
const databaseBefore = 'causeway_before';
const password = 'bench-password';
const roles = ['causeway_app', 'causeway_worker', 'causeway_signer', 'causeway_operator', 'causeway_console'] as const;
const port = Number(process.env['BENCH_POSTGRES_PORT'] ?? 0);

/** What a small production server would set; the same for everybody who is measured. */
const settings = { shared_buffers: '512MB', max_wal_size: '4GB', checkpoint_timeout: '15min' };

const chains = [
  {
    id: 'ethereum',
    family: 'evm' as const,
    name: 'Ethereum',
    chainId: 31_337,
    rpcUrls: ['http://127.0.0.1:1'],
    confirmations: 6,
    pollIntervalMs: 1000,
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

export async function setStage(): Promise<Stage> {
  const postgres = await startPostgres({ port, maxConnections: 300, settings });
  try {
    return await furnish(postgres);
  } catch (error) {
    await postgres.stop();
    throw error;
  }
}

async function furnish(postgres: Postgres): Promise<Stage> {
  const first = await connect(postgres.url);
  await first.query(`create database ${database}`);
  await first.end();
  const ownUrl = postgres.urlFor(database);
  await migrate(
    ownUrl,
    roles.map((name) => ({ name, password })),
  );
  await registerChains(ownUrl, chainFamilies, chains);
  const admin = await connect(ownUrl);
  await admin.query(readFileSync(join(import.meta.dirname, 'one-call.sql'), 'utf8'));
  const urlFor = (role?: string) => (role === undefined ? ownUrl : postgres.urlFor(database, role, password));
  return {
    postgres,
    urlFor,
    admin,
    chains,
    open: (poolSize) => openDatabase(urlFor('causeway_app'), { poolSize, applicationName: 'causeway-bench' }),
    async close() {
      await admin.end();
      await postgres.stop();
    },
  };
}

/** A second database on the same PostgreSQL, with the schema of another checkout: its own code migrates it. */
export async function migrateBefore({ postgres, admin }: Stage, checkout: string): Promise<StageDatabase> {
  await admin.query(`create database ${databaseBefore}`);
  const urlFor = (role?: string) =>
    role === undefined ? postgres.urlFor(databaseBefore) : postgres.urlFor(databaseBefore, role, password);
  const directory = mkdtempSync(join(tmpdir(), 'causeway-bench-'));
  const chainsFile = join(directory, 'chains.json');
  writeFileSync(chainsFile, JSON.stringify({ chains }));
  const urls = roles.map((role) => [`${role.replace('causeway', 'DATABASE').toUpperCase()}_URL`, urlFor(role)]);
  const env = {
    PATH: process.env['PATH'],
    LOG_LEVEL: 'warn',
    CHAINS_FILE: chainsFile,
    DATABASE_OWNER_URL: urlFor(),
    ...Object.fromEntries(urls),
  };
  try {
    await promisify(execFile)(process.execPath, [join(checkout, 'server/src/migrate.ts')], { env });
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  const own = await connect(urlFor());
  return { urlFor, admin: own, chains, close: () => own.end() };
}

async function connect(connectionString: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  return client;
}

/** As many connections as workers: each worker has its own, as pgbench's clients have. */
export async function connections(url: string, count: number): Promise<pg.Client[]> {
  return Promise.all(Array.from({ length: count }, () => connect(url)));
}

export async function closeAll(clients: readonly pg.Client[]): Promise<void> {
  await Promise.all(clients.map((client) => client.end()));
}
