import { Logger, runMigrations } from 'graphile-worker';
import type pg from 'pg';
import { StartFailure } from '../process/start-failure.ts';
import { type MigrationFile, migrationFiles } from './migration-files.ts';
import { addressesOf, createClient } from './primary.ts';

/**
 * Forward-only migrations: plain SQL files, in the order of their names, each in a transaction of its own. What has run
 * is recorded with its checksum. A database whose record is not the beginning of this version's files is refused.
 */

export interface Role {
  /** One of the roles that 0001 or 0150 names. */
  name: 'causeway_app' | 'causeway_worker' | 'causeway_signer' | 'causeway_operator' | 'causeway_console';
  password: string;
}

const lockKey = 5_402_001;

class MigrationError extends StartFailure {}

/** The database has run migrations that this version lacks, or has with other content. */
export class OtherVersionError extends StartFailure {
  override readonly exitCode = 3;
}

/**
 * Makes the roles and runs what has not run yet. `ownerUrl` connects as a role that may create roles; the objects are
 * owned by `causeway_owner`, which cannot sign in and has no right to bypass row-level security.
 * @returns the names of the files that ran.
 * @throws OtherVersionError before any file runs
 */
export async function migrate(ownerUrl: string, roles: readonly Role[]): Promise<string[]> {
  const client = createClient(ownerUrl, { application_name: 'causeway-migrate' });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock($1)', [lockKey]);
    await makeRoles(client, roles);
    const ran = await runFiles(client);
    await installJobs(client, ownerUrl, roles);
    return ran;
  } finally {
    await client.end();
  }
}

async function makeRoles(client: pg.Client, roles: readonly Role[]): Promise<void> {
  // The operator's console is optional: without its address in the configuration its role is there and cannot sign in.
  const groups = ['owner', 'lookup', 'search', 'ledger', 'batch', 'console', 'look'].map((name) => `causeway_${name}`);
  for (const name of new Set([...groups, ...roles.map((role) => role.name)])) {
    const known = await client.query('select from pg_roles where rolname = $1', [name]);
    if (known.rowCount === 0) await client.query(`create role ${name} nosuperuser nobypassrls nocreatedb nocreaterole`);
  }
  for (const role of roles) {
    await client.query(`alter role ${role.name} login password ${client.escapeLiteral(role.password)}`);
    await client.query(`alter role ${role.name} set search_path = causeway`);
  }
  const database = client.escapeIdentifier((await client.query('select current_database() as name')).rows[0].name);
  await client.query(`grant create on database ${database} to causeway_owner`);
  // Look-ups and searches run with rights of their own: migrations hand their functions over.
  await client.query('grant causeway_owner, causeway_lookup, causeway_search, causeway_ledger to current_user');
  await client.query('grant causeway_lookup, causeway_search to causeway_owner');
  // Taken on by name alone: inherited rights would also hold in other transactions.
  await client.query('grant causeway_ledger to causeway_owner with inherit false, set true');
  if (roles.some((role) => role.name === 'causeway_app')) {
    await client.query('grant causeway_batch to causeway_app with inherit false, set true');
  }
  await client.query('grant causeway_look to causeway_console with inherit false, set true');
}

async function runFiles(client: pg.Client): Promise<string[]> {
  await client.query('create schema if not exists causeway_migration authorization causeway_owner');
  await client.query('set role causeway_owner');
  await client.query(
    'create table if not exists causeway_migration.done (name text primary key, sha256 text not null, at timestamptz not null default now())',
  );
  const done = await client.query<{ name: string; sha256: string }>('select name, sha256 from causeway_migration.done');
  const checksums = new Map(done.rows.map((row) => [row.name, row.sha256]));
  const files = migrationFiles();
  refuseOtherVersion(checksums, files);
  const ran: string[] = [];
  for (const { name, text, sha256 } of files) {
    if (checksums.has(name)) continue;
    await runFile(client, name, text, sha256);
    ran.push(name);
  }
  // What a look may read of the tables that are there now (0166).
  if (files.some(({ name }) => name.startsWith('0166_'))) await client.query('call causeway.admit_looks()');
  return ran;
}

function refuseOtherVersion(checksums: ReadonlyMap<string, string>, files: readonly MigrationFile[]): void {
  const own = new Map(files.map(({ name, sha256 }) => [name, sha256]));
  for (const [name, sha256] of checksums) {
    if (own.get(name) === sha256) continue;
    const difference = own.has(name)
      ? `migration ${name} has changed since it ran`
      : `migration ${name} has run and is not part of this version`;
    throw new OtherVersionError(`The database belongs to another version of Causeway: ${difference}.`);
  }
}

/**
 * The job queue's own tables (graphile_worker) belong to the worker's role: their policies admit no other role. The right to
 * make a schema is the worker's for as long as this takes.
 */
async function installJobs(client: pg.Client, ownerUrl: string, roles: readonly Role[]): Promise<void> {
  const worker = roles.find((role) => role.name === 'causeway_worker');
  if (!worker) return;
  const addresses = addressesOf(ownerUrl);
  const url = new URL(addresses[0] ?? ownerUrl);
  // The host that was found to be the primary.
  if (addresses.length > 1) url.host = `${client.host}:${client.port}`;
  url.username = worker.name;
  url.password = encodeURIComponent(worker.password);
  const database = client.escapeIdentifier(decodeURIComponent(url.pathname.slice(1)));
  await client.query('reset role');
  await client.query(`grant create on database ${database} to causeway_worker`);
  try {
    await runMigrations({ connectionString: url.href, logger: new Logger(() => () => undefined) });
  } finally {
    await client.query(`revoke create on database ${database} from causeway_worker`);
  }
}

async function runFile(client: pg.Client, name: string, text: string, sha256: string): Promise<void> {
  await client.query('begin');
  try {
    await client.query(text);
    await client.query('insert into causeway_migration.done (name, sha256) values ($1, $2)', [name, sha256]);
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw new MigrationError(`${name}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}
