import { createReadStream } from 'node:fs';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { DomainError, invariant } from '../../../platform/domain-error.ts';

/** Where the bytes of files stand. Names are random and say nothing. */
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

/** Objects as files below a directory: written aside, synced, renamed, so that a crash leaves all or nothing. */
export function createDiskStore(directory: string): ObjectStore {
  const pathOf = (name: string) => {
    invariant(namePattern.test(name), 'a storage name is 32 hexadecimal digits');
    return join(directory, name.slice(0, 2), name);
  };
  return {
    async put(name, content) {
      const path = pathOf(name);
      const aside = `${path}.part`;
      try {
        await mkdir(dirname(path), { recursive: true, mode: 0o700 });
        await writeSynced(aside, content);
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

async function writeSynced(path: string, content: Buffer): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
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
