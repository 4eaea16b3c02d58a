import { mkdir, open, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readJson, writeDurably } from './durable-file.ts';
import { hasCode, SandboxFailure } from './failure.ts';
import { endOrphan, identify, isProcessIdentity, isRunning, type ProcessIdentity } from './process-identity.ts';

export type DataDirectory = {
  dir: string;
  path(...parts: string[]): string;
  /** Notes a process of ours, so that a later start can end it should we be killed. */
  note(pid: number): Promise<void>;
  release(): Promise<void>;
};

type Lock = { supervisor: ProcessIdentity; launcher?: ProcessIdentity };

const ORPHAN_GRACE_MS = 8_000;

/**
 * Takes the data directory for this process alone, made when missing, and ends what an earlier run that was killed
 * has left running.
 *
 * @throws SandboxFailure in_use, damaged
 */
export async function takeDataDirectory(dir: string): Promise<DataDirectory> {
  await makeDirectory(dir);
  const lockFile = join(dir, 'supervisor.json');
  await takeLock(dir, lockFile);
  const childrenFile = join(dir, 'processes.json');
  await endOrphans(childrenFile);
  const children: ProcessIdentity[] = [];
  let saving = Promise.resolve();
  const save = (): Promise<void> => writeDurably(childrenFile, JSON.stringify(children));
  return {
    dir,
    path: (...parts) => join(dir, ...parts),
    async note(pid) {
      const identity = await identify(pid);
      if (identity === undefined) return;
      children.push(identity);
      saving = saving.then(save, save);
      await saving;
    },
    async release() {
      await saving;
      await rm(childrenFile, { force: true });
      await rm(lockFile, { force: true });
    },
  };
}

/** Whether a sandbox is running on this directory. */
export async function isTaken(dir: string): Promise<boolean> {
  const lock = await readLock(join(dir, 'supervisor.json'));
  return lock !== undefined && isRunning(lock.supervisor);
}

async function makeDirectory(dir: string): Promise<void> {
  try {
    // Others may walk through, for the account the database runs as; every file in it is closed to them.
    await mkdir(dir, { recursive: true, mode: 0o711 });
  } catch (error) {
    if (hasCode(error, 'ENOSPC')) throw new SandboxFailure('no_space', `The disk that holds ${dir} is full.`);
    if (hasCode(error, 'EEXIST') || hasCode(error, 'ENOTDIR')) {
      throw new SandboxFailure(
        'damaged',
        `The data directory ${dir} cannot be used: a file of that name is in the way.`,
      );
    }
    throw error;
  }
}

async function takeLock(dir: string, lockFile: string): Promise<void> {
  const [supervisor, launcher] = await Promise.all([identify(process.pid), identify(process.ppid)]);
  if (supervisor === undefined) throw new Error('the operating system does not tell when this process started');
  const content = JSON.stringify(launcher === undefined ? { supervisor } : { supervisor, launcher });
  for (;;) {
    try {
      const handle = await open(lockFile, 'wx', 0o600);
      await handle.writeFile(content);
      await handle.close();
      return;
    } catch (error) {
      if (!hasCode(error, 'EEXIST')) throw error;
    }
    const held = await readLock(lockFile);
    if (held !== undefined) await waitForEnd(dir, held);
    await rm(lockFile, { force: true });
  }
}

/** A supervisor whose launcher was killed is on its way out by itself; any other is somebody's running sandbox. */
async function waitForEnd(dir: string, held: Lock): Promise<void> {
  while (await isRunning(held.supervisor)) {
    if (held.launcher === undefined || (await isRunning(held.launcher))) {
      throw new SandboxFailure(
        'in_use',
        `A sandbox is already running on ${dir} (process ${held.supervisor.pid}): use it, or end it with Ctrl-C first.`,
      );
    }
    await delay(100);
  }
}

async function readLock(lockFile: string): Promise<Lock | undefined> {
  let text: string;
  try {
    text = await readFile(lockFile, 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
  try {
    const value: unknown = JSON.parse(text);
    return isLock(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

async function endOrphans(childrenFile: string): Promise<void> {
  const known = await readJson(childrenFile).catch(() => undefined);
  const orphans = Array.isArray(known) ? known.filter(isProcessIdentity) : [];
  await Promise.all(orphans.map((orphan) => endOrphan(orphan, 'SIGTERM', ORPHAN_GRACE_MS)));
  await rm(childrenFile, { force: true });
}

function isLock(value: unknown): value is Lock {
  return typeof value === 'object' && value !== null && 'supervisor' in value && isProcessIdentity(value.supervisor);
}
