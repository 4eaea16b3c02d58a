import { accessSync, constants, createReadStream, statSync } from 'node:fs';
import { chmod, mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { ConfigError } from '../../../platform/config/config.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';

/** Stores the bytes of files. Names are random and reveal nothing. */
export interface ObjectStore {
  /** Durable when it returns. Throws DomainError storageFull. */
  put(name: string, content: Buffer): Promise<void>;
  /** The object as a stream, which is open when this returns; throws when it is not there. */
  get(name: string): Promise<Readable>;
  /** Nothing happens when it is not there. */
  remove(name: string): Promise<void>;
}

const namePattern = /^[0-9a-f]{32}$/;
const fullDisk = new Set(['ENOSPC', 'EDQUOT']);

/**
 * Objects as files below a directory: written aside, synced, renamed, so that a crash leaves all or nothing. Where the
 * directory's group may write (chmod 2770), so may it in all folders below: main and worker are then users of their own.
 * `setting` names the variable that says where it is.
 * @throws ConfigError when the directory cannot be used
 */
export function createDiskStore(directory: string, setting = 'FILES_DIR'): ObjectStore {
  const modes = modesBelow(directory, setting);
  const pathOf = (name: string) => {
    invariant(namePattern.test(name), 'a storage name is 32 hexadecimal digits');
    return join(directory, name.slice(0, 2), name);
  };
  return {
    async put(name, content) {
      const path = pathOf(name);
      const aside = `${path}.part`;
      try {
        await makeFolder(dirname(path), modes.folder);
        await writeSynced(aside, content, modes.file);
        await rename(aside, path);
        await syncDirectory(dirname(path));
      } catch (error) {
        await rm(aside, { force: true }).catch(() => undefined);
        if (fullDisk.has((error as NodeJS.ErrnoException).code ?? '')) throw new DomainError('storageFull');
        throw error;
      }
    },
    async get(name) {
      const handle = await open(pathOf(name), 'r');
      return createReadStream('', { fd: handle, autoClose: true });
    },
    remove: (name) => rm(pathOf(name), { force: true }),
  };
}

interface Modes {
  folder: number;
  file: number;
}

function modesBelow(directory: string, setting: string): Modes {
  const found = statSync(directory, { throwIfNoEntry: false });
  if (!found) throw new ConfigError(`${setting}: the folder ${directory} does not exist`);
  if (!found.isDirectory()) throw new ConfigError(`${setting}: ${directory} is not a folder`);
  try {
    accessSync(directory, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    throw new ConfigError(`${setting}: the user that this process runs as may not write in ${directory}`);
  }
  const isShared = (found.mode & 0o070) === 0o070;
  return isShared ? { folder: 0o2770, file: 0o660 } : { folder: 0o700, file: 0o600 };
}

/** The process's umask must not take from a new folder what its mode gives; one that exists may be another user's. */
async function makeFolder(path: string, mode: number): Promise<void> {
  const made = await mkdir(path, { recursive: true, mode });
  if (made !== undefined) await chmod(path, mode);
}

async function writeSynced(path: string, content: Buffer, mode: number): Promise<void> {
  const handle = await open(path, 'wx', mode);
  try {
    await handle.chmod(mode);
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncDirectory(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
