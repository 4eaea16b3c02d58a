import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type Child, type ChildEnd, endChild, logLength, logSince, startChild } from './child.ts';
import { hasCode, SandboxFailure } from './failure.ts';
import { freePort, isPortFree } from './free-port.ts';
import { removeStaleLock } from './postgres-lock.ts';
import { findPlace, type PostgresPlace } from './postgres-place.ts';

const run = promisify(execFile);

const SUPERUSER = 'postgres';
const READY_WITHIN_MS = 60_000;
const POLL_MS = 10;
/** A postmaster that was killed leaves back ends behind for a moment; until they are gone a new one is refused. */
const REMNANT_PATIENCE_MS = 10_000;

export type PostgresOptions = {
  /** Where the cluster lives; made when missing. Without it the instance is ephemeral: a new directory, removed by `stop`. */
  dir?: string;
  /** Where the directory of an ephemeral instance is made; default: where the system has its temporary files. */
  temporaryIn?: string;
  /** 0, the default, takes any free port. */
  port?: number;
  /** Write through to the disk at every commit (default true). Off is for tests only: a crash may damage the cluster. */
  fsync?: boolean;
  /** Default 100, and 200 for an ephemeral instance. */
  maxConnections?: number;
  /** Further settings of postgresql.conf, such as `{ shared_buffers: '512MB' }`. */
  settings?: Readonly<Record<string, string>>;
};

export type Postgres = {
  /** Address of the database `postgres` as the superuser. */
  url: string;
  /** Address of another database or role; role and password default to the superuser's. */
  urlFor(database: string, role?: string, password?: string): string;
  host: string;
  port: number;
  password: string;
  pid: number;
  /** Where data and log really are: not always `dir`, see `findPlace`. */
  home: string;
  logFile: string;
  ended: Promise<ChildEnd>;
  /** Ends sessions and shuts down in order ("fast"); removes the directory of an ephemeral instance. */
  stop(): Promise<void>;
  /** SIGKILL, as a power cut for the process; the data directory stays. */
  kill(): Promise<void>;
};

/**
 * Starts a real PostgreSQL from the embedded binaries, making its cluster first when there is none, and resolves
 * when it accepts connections. The cluster: UTF-8, builtin locale C.UTF-8, SCRAM passwords, TCP on 127.0.0.1 only.
 *
 * @throws SandboxFailure port_taken, in_use, damaged, unsupported, not_ready
 */
export async function startPostgres(options: PostgresOptions = {}): Promise<Postgres> {
  const ephemeral = options.dir === undefined;
  const dir = options.dir === undefined ? await temporaryDirectory(options.temporaryIn) : resolve(options.dir);
  const place = await findPlace(dir);
  const data = join(place.home, 'cluster');
  const password = await createClusterIfMissing(place, data, options.fsync ?? true);
  const logFile = join(place.home, 'postgres.log');
  const { child, port } = await launch(place, data, logFile, {
    ...options,
    maxConnections: options.maxConnections ?? (ephemeral ? 200 : 100),
  });

  const urlFor = (database: string, role = SUPERUSER, rolePassword = password): string =>
    `postgres://${encodeURIComponent(role)}:${encodeURIComponent(rolePassword)}@127.0.0.1:${port}/${encodeURIComponent(database)}`;
  // Its directory may be in memory, where nothing else would ever remove it.
  const endWithUs = () => {
    child.process.kill('SIGQUIT');
    for (const made of [dir, place.home]) rmSync(made, { recursive: true, force: true, maxRetries: 5 });
  };
  if (ephemeral) process.once('exit', endWithUs);
  return {
    url: urlFor('postgres'),
    urlFor,
    host: '127.0.0.1',
    port,
    password,
    pid: child.pid,
    home: place.home,
    logFile,
    ended: child.ended,
    async stop() {
      await endChild(child, 'SIGINT', 30_000);
      process.off('exit', endWithUs);
      if (ephemeral) await removeAll(dir, place.home);
    },
    async kill() {
      child.process.kill('SIGKILL');
      await child.ended;
      process.off('exit', endWithUs);
    },
  };
}

/** Others may walk through it, for the account PostgreSQL runs as; its content is closed to them. */
async function temporaryDirectory(parent = tmpdir()): Promise<string> {
  const made = await mkdtemp(join(parent, 'causeway-pg-'));
  await chmod(made, 0o711);
  return made;
}

async function removeAll(...directories: string[]): Promise<void> {
  for (const directory of directories) await rm(directory, { recursive: true, force: true });
}

/** Makes the cluster beside its place and renames it when whole, so that a half-made one is never taken for a cluster. */
async function createClusterIfMissing(place: PostgresPlace, data: string, fsync: boolean): Promise<string> {
  const passwordFile = join(place.home, 'superuser-password');
  const known = await readIfThere(passwordFile);
  const version = await readIfThere(join(data, 'PG_VERSION'));
  if (known !== undefined && version !== undefined) return known.trim();
  if (known !== undefined && (await readIfThere(join(data, 'postgresql.conf'))) !== undefined) {
    throw new SandboxFailure('damaged', `The database in ${data} is damaged: its file PG_VERSION is missing.`);
  }
  if (version !== undefined) {
    throw new SandboxFailure(
      'damaged',
      `The database in ${data} is damaged: its password file ${passwordFile} is missing.`,
    );
  }
  const password = known?.trim() ?? randomBytes(24).toString('base64url');
  await writeFile(passwordFile, `${password}\n`, { mode: 0o600, flush: true });
  await initdb(place, data, password, fsync);
  return password;
}

async function initdb(place: PostgresPlace, data: string, password: string, fsync: boolean): Promise<void> {
  const half = `${data}.new`;
  const passwordForInitdb = `${data}.pw`;
  await removeAll(half);
  await mkdir(half, { mode: 0o700 });
  await writeFile(passwordForInitdb, `${password}\n`, { mode: 0o600 });
  if (place.owner !== undefined) {
    await chown(half, place.owner.uid, place.owner.gid);
    await chown(passwordForInitdb, place.owner.uid, place.owner.gid);
  }
  const args = ['-D', half, '-U', SUPERUSER, `--pwfile=${passwordForInitdb}`, '--auth=scram-sha-256', '-E', 'UTF8'];
  const locale = ['--locale-provider=builtin', '--locale=C.UTF-8', '--lc-messages=C'];
  try {
    await run(place.initdb, [...args, ...locale, ...(fsync ? [] : ['--no-sync'])], {
      env: bareEnvironment(),
      cwd: place.home,
      ...(place.owner ?? {}),
    });
  } catch (error) {
    const detail = hasStderr(error) ? error.stderr : String(error);
    // What initdb says last is what came of it, not why.
    if (/No space left/i.test(detail)) {
      throw new SandboxFailure(
        'no_space',
        `The disk that holds ${data} is full, so the database cannot be created.`,
        detail,
      );
    }
    throw new SandboxFailure(
      'not_ready',
      `The database could not be created in ${data}: ${lastSentence(detail)}`,
      detail,
    );
  } finally {
    await removeAll(passwordForInitdb);
  }
  await rename(half, data);
}

/** PostgreSQL reads its messages' language and time zone from the environment; ours must not leak in. */
function bareEnvironment(): NodeJS.ProcessEnv {
  return { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };
}

async function launch(
  place: PostgresPlace,
  data: string,
  logFile: string,
  options: PostgresOptions,
): Promise<{ child: Child; port: number }> {
  await removeStaleLock(data);
  const giveUpAt = Date.now() + REMNANT_PATIENCE_MS;
  for (;;) {
    const wished = options.port ?? 0;
    const port = wished === 0 ? await freePort() : wished;
    if (wished !== 0 && !(await isPortFree(wished))) {
      throw new SandboxFailure('port_taken', `Port ${wished}, wanted for the database, is taken by another program.`);
    }
    const written = logLength(logFile);
    const child = await startChild({
      command: place.postgres,
      args: ['-D', data, '-p', String(port), ...settings(options)],
      env: bareEnvironment(),
      cwd: place.home,
      logFile,
      ...(place.owner ?? {}),
    });
    if (await becomesReady(child, join(data, 'postmaster.pid'))) return { child, port };
    await endChild(child, 'SIGKILL', 0);
    const said = logSince(logFile, written);
    const canPass =
      /pre-existing shared memory block/.test(said) || (wished === 0 && /Address already in use/.test(said));
    if (Date.now() > giveUpAt || !canPass) {
      throw refusal(data, said);
    }
    await delay(100);
  }
}

function settings(options: PostgresOptions): string[] {
  const durable = options.fsync ?? true;
  const all: Record<string, string> = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: String(options.maxConnections ?? 100),
    log_timezone: 'UTC',
    timezone: 'UTC',
    ...(durable ? {} : { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    ...options.settings,
  };
  return Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The postmaster writes its process id and, on the eighth line, its state into this file. */
async function becomesReady(child: Child, pidFile: string): Promise<boolean> {
  const giveUpAt = Date.now() + READY_WITHIN_MS;
  while (!child.hasEnded() && Date.now() < giveUpAt) {
    const lines = ((await readIfThere(pidFile)) ?? '').split('\n');
    if (lines[0]?.trim() === String(child.pid) && lines[7]?.trim() === 'ready') return true;
    await delay(POLL_MS);
  }
  return false;
}

function refusal(data: string, said: string): SandboxFailure {
  if (/Address already in use/.test(said)) {
    return new SandboxFailure('port_taken', 'The port wanted for the database is taken by another program.', said);
  }
  if (/lock file "postmaster.pid" already exists|pre-existing shared memory block/.test(said)) {
    return new SandboxFailure('in_use', `The database in ${data} is in use by another running PostgreSQL.`, said);
  }
  if (/No space left on device/.test(said)) {
    return new SandboxFailure('no_space', `The disk that holds ${data} is full, so the database cannot start.`, said);
  }
  return new SandboxFailure('damaged', `The database in ${data} cannot be started: ${lastSentence(said)}`, said);
}

/** The sentence of the last FATAL, PANIC or error line, without time and process id. */
function lastSentence(said: string): string {
  const lines = said.split('\n').filter((line) => /FATAL|PANIC|error:/.test(line));
  return (lines.at(-1) ?? said.split('\n').at(-1) ?? '').replace(/^.*?(FATAL|PANIC|error):\s*/, '').trim();
}

function hasStderr(error: unknown): error is { stderr: string } {
  return error instanceof Error && 'stderr' in error && typeof error.stderr === 'string';
}

async function readIfThere(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}
