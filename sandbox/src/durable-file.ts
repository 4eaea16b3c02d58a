import { open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { hasCode, SandboxFailure } from './failure.ts';
import { syncDirectory } from './journal.ts';

/** Replaces a file so that a crash leaves either the old content or the new, whole; only its owner may read it. */
export async function writeDurably(file: string, content: string | Buffer): Promise<void> {
  const half = `${file}.new`;
  const handle = await open(half, 'w', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await rename(half, file);
  await syncDirectory(dirname(file));
}

/** The JSON in a file, or undefined when there is no such file. @throws SandboxFailure damaged */
export async function readJson(file: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(file, 'utf8'));
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    if (error instanceof SyntaxError)
      throw new SandboxFailure('damaged', `The file ${file} is damaged: it is no JSON.`);
    throw error;
  }
}
