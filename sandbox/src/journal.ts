import { open, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';
import { hasCode, SandboxFailure } from './failure.ts';

export type Journal<Entry> = {
  /** Everything that was in the journal when it was opened, oldest first. */
  entries: readonly Entry[];
  /** Settles when the entry is on the disk. Calls must not overlap. */
  append(entry: Entry): Promise<void>;
  /** Several at the cost of one. A crash in between leaves the first of them. */
  appendAll(entries: readonly Entry[]): Promise<void>;
  close(): Promise<void>;
};

/**
 * Opens an append-only journal, made when missing. An entry is one line: a CRC-32 and JSON. A last line that a
 * crash cut short was never acknowledged and is cut off; a bad line anywhere else means damage.
 *
 * @throws SandboxFailure damaged
 */
export async function openJournal<Entry>(
  file: string,
  isEntry: (value: unknown) => value is Entry,
): Promise<Journal<Entry>> {
  const { entries, wholeBytes } = parseJournal(file, await readIfThere(file), isEntry);
  const handle = await open(file, 'a', 0o600);
  await handle.truncate(wholeBytes);
  await handle.sync();
  await syncDirectory(dirname(file));
  async function appendAll(added: readonly Entry[]): Promise<void> {
    await handle.appendFile(added.map(line).join(''));
    await handle.datasync();
  }

  return {
    entries,
    append: (entry) => appendAll([entry]),
    appendAll,
    close: () => handle.close(),
  };
}

function line(entry: unknown): string {
  const text = JSON.stringify(entry);
  return `${checksum(text)} ${text}\n`;
}

function checksum(text: string): string {
  return crc32(text).toString(16).padStart(8, '0');
}

function parseJournal<Entry>(
  file: string,
  content: Buffer,
  isEntry: (value: unknown) => value is Entry,
): { entries: Entry[]; wholeBytes: number } {
  const entries: Entry[] = [];
  let start = 0;
  while (start < content.length) {
    const end = content.indexOf(0x0a, start);
    const entry = end < 0 ? undefined : parseLine(content.subarray(start, end).toString('utf8'));
    if (!isEntry(entry)) {
      if (end >= 0 && end + 1 < content.length) {
        throw new SandboxFailure('damaged', `The journal ${file} is damaged at byte ${start}.`);
      }
      break;
    }
    entries.push(entry);
    start = end + 1;
  }
  return { entries, wholeBytes: start };
}

function parseLine(text: string): unknown {
  const body = text.slice(9);
  return text.slice(0, 8) === checksum(body) ? JSON.parse(body) : undefined;
}

async function readIfThere(file: string): Promise<Buffer> {
  try {
    return await readFile(file);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return Buffer.alloc(0);
    throw error;
  }
}

/** Makes new and renamed names of a directory durable. */
export async function syncDirectory(directory: string): Promise<void> {
  const handle = await open(directory, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
