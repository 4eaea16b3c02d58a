import { mkdir, open, readFile, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
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
 * @throws SandboxFailure in_use, no_space, unsupported
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
    await makeWithParents(dir);
  } catch (error) {
    throw explainDirectory(dir, error);
  }
}

/**
 * Makes the directory and the parents that it lacks, each once: Node's own `recursive` repeats without end where a file system
 * takes no directories (/proc).
 */
async function makeWithParents(dir: string): Promise<void> {
  const found = await stat(dir).catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found?.isDirectory()) return;
  if (found !== undefined) throw Object.assign(new Error(`${dir} is a file`), { code: 'ENOTDIR' });
  if (dirname(dir) !== dir) await makeWithParents(dirname(dir));
  // Others may walk through, for the account the database runs as; every file in it is closed to them.
  await mkdir(dir, { mode: 0o711 });
}

const choose = 'choose another with CAUSEWAY_DATA_DIR=<directory>.';

/** Why a data directory cannot be used, by the operating system's code; what is none of these is given back as it is. */
const reasons: Readonly<Record<string, (dir: string) => SandboxFailure>> = {
  ENOSPC: (dir) => new SandboxFailure('no_space', `The disk that holds ${dir} is full.`),
  EDQUOT: (dir) => new SandboxFailure('no_space', `This user's share of the disk that holds ${dir} is used up.`),
  EROFS: (dir) => unusable(dir, 'its file system is read-only'),
  EACCES: (dir) => unusable(dir, 'this user may not write there'),
  EPERM: (dir) => unusable(dir, 'this user may not write there'),
  ENOENT: (dir) => unusable(dir, 'its file system takes no directories'),
  ENOTDIR: (dir) => unusable(dir, 'a file of that name is in the way'),
  EEXIST: (dir) => unusable(dir, 'a file of that name is in the way'),
  ELOOP: (dir) => unusable(dir, 'its symbolic links lead in a circle'),
  ENAMETOOLONG: (dir) => unusable(dir, 'its path is too long'),
};

export function explainDirectory(dir: string, error: unknown): unknown {
  const reason = Object.entries(reasons).find(([code]) => hasCode(error, code))?.[1];
  return reason === undefined ? error : reason(dir);
}

function unusable(dir: string, reason: string): SandboxFailure {
  return new SandboxFailure('unsupported', `The data directory ${dir} cannot be used, because ${reason}: ${choose}`);
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
      if (!hasCode(error, 'EEXIST')) throw explainDirectory(dir, error);
    }
    const held = await readLock(lockFile);
    if (held !== undefined) await waitForEnd(dir, held);
    await rm(lockFile, { force: true });
  }
}

/** A supervisor whose launcher was killed is about to exit; any other is a running sandbox. */
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
