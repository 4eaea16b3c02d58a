import { readdir, readFile, readlink, rm } from 'node:fs/promises';
import { platform } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { hasCode } from './failure.ts';
import { findPlace } from './postgres-place.ts';
import { commandOf, endOrphan, identify } from './process-identity.ts';

const REMNANT_PATIENCE_MS = 10_000;

/**
 * Ends a PostgreSQL that still runs on this directory although the process that started it is gone. Only for a caller who knows
 * that no other process may use the directory.
 */
export async function endLeftoverPostgres(dir: string): Promise<void> {
  const { home } = await findPlace(resolve(dir));
  const data = join(home, 'cluster');
  const pid = await lockedBy(data);
  const identity = pid === undefined ? undefined : await identify(pid);
  if (identity !== undefined && (await commandOf(identity.pid)).includes(data)) {
    await endOrphan(identity, 'SIGINT', 15_000);
  }
}

/**
 * Removes the lock of a postmaster that is dead for certain. PostgreSQL usually does that, but takes two kinds of
 * dead for living: one that has not been reaped (in a container whose first process does not reap orphans), and
 * one whose process id another program of the same account has by now. Only where /proc can tell, and only once no
 * back end of the old postmaster is left.
 */
export async function removeStaleLock(data: string): Promise<void> {
  if (platform() !== 'linux') return;
  const pid = await lockedBy(data);
  if (pid === undefined) return;
  const isAlive = (await identify(pid)) !== undefined && (await commandOf(pid)).includes(data);
  const giveUpAt = Date.now() + REMNANT_PATIENCE_MS;
  while (!isAlive && Date.now() < giveUpAt) {
    if (!(await someoneWorksIn(data))) {
      await rm(join(data, 'postmaster.pid'), { force: true });
      return;
    }
    await delay(20);
  }
}

async function lockedBy(data: string): Promise<number | undefined> {
  try {
    const pid = Number((await readFile(join(data, 'postmaster.pid'), 'utf8')).split('\n')[0]);
    return Number.isInteger(pid) && pid > 1 ? pid : undefined;
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

/** Every process of PostgreSQL has its data directory as its working directory. */
async function someoneWorksIn(data: string): Promise<boolean> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const directories = await Promise.all(pids.map((pid) => readlink(`/proc/${pid}/cwd`).catch(() => '')));
  return directories.includes(data);
}
