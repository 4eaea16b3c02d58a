import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { ConfigError } from '../config/config.ts';

/**
 * An append-only file of JSON lines, each linked to the one before by SHA-256. An entry is on the disk (fsync) before
 * `append` returns. One process at a time holds the file (flock(2)). A last line that a crash left unfinished is removed at
 * the next start; damage anywhere else is an error, since what stood there is not known.
 */

/** An entry's place: numbered from 1; 0 is the header. */
export interface Link {
  seq: number;
  hash: string;
}

export interface LoadedEntry extends Link {
  /** Byte offset of the line in the file. */
  offset: number;
  fields: Record<string, unknown>;
}

export interface LinkedLog {
  tip(): Link;
  /** Writes an entry and waits for the disk. @throws LogUnwritable, and then the entry must be taken as perhaps written */
  append(fields: Record<string, unknown>): LoadedEntry;
  /** Writes a number that is not part of the chain, without waiting for the disk. Failing to is no error. */
  note(mark: number): void;
  /** Reads the entry at an offset that was given out. */
  readAt(offset: number): LoadedEntry;
  close(): void;
}

/** The entry could not be brought to the disk. */
export class LogUnwritable extends Error {}

/** What is called for every line at the start. */
export interface LogReader {
  onEntry(entry: LoadedEntry): void;
  onNote(mark: number): void;
}

/** The system calls that may fail while an entry is written; replaced in tests. */
export interface LogDisk {
  write(fd: number, bytes: Buffer, position: number): void;
  sync(fd: number): void;
  truncate(fd: number, length: number): void;
}

export const realDisk: LogDisk = {
  write(fd, bytes, position) {
    for (let done = 0; done < bytes.length; ) {
      done += writeSync(fd, bytes, done, bytes.length - done, position + done);
    }
  },
  sync: fsyncSync,
  truncate: ftruncateSync,
};

const notePrefix = '{"stored":';
const hashSuffix = /,"hash":"([0-9a-f]{64})"\}$/;
const hashSuffixLength = ',"hash":""}'.length + 64;
const newline = 0x0a;
const chunkBytes = 1 << 20;
const maxLineBytes = 65_536;

/** The hash of an entry: of the one before, and of its own text. */
export function linkOf(previousHash: string, body: string): string {
  return createHash('sha256').update(previousHash).update(body).digest('hex');
}

/** The hash that the first entry follows: that of the header. */
export function headerHash(header: Record<string, unknown>): string {
  return linkOf('', JSON.stringify(header));
}

function lineOf(body: string, hash: string): string {
  return `${body.slice(0, -1)},"hash":"${hash}"}\n`;
}

/** Makes a new file that has only its header. Never overwrites one that has an entry. @throws ConfigError */
export function createLinkedLog(path: string, header: Record<string, unknown>): void {
  const fd = openFile(path, constants.O_RDWR | constants.O_CREAT);
  try {
    lockFile(fd, path);
    if (fstatSync(fd).size > maxLineBytes || readLines(fd, path, header, null) !== null) {
      throw new ConfigError(`${path} exists already; it is never overwritten`);
    }
    fchmodSync(fd, 0o600);
    ftruncateSync(fd, 0);
    realDisk.write(fd, Buffer.from(lineOf(JSON.stringify(header), headerHash(header))), 0);
    fsyncSync(fd);
    syncDirectory(path);
  } finally {
    closeSync(fd);
  }
}

/**
 * Opens the file, holds it, and reads it whole.
 * @returns null when there is no such file, or it is empty
 * @throws ConfigError when it is damaged, has another header, or another process holds it
 */
export function openLinkedLog(
  path: string,
  header: Record<string, unknown>,
  reader: LogReader,
  io: LogDisk = realDisk,
): LinkedLog | null {
  const fd = openFile(path, constants.O_RDWR);
  if (fd === -1) return null;
  try {
    lockFile(fd, path);
    fchmodSync(fd, 0o600);
    const end = readLines(fd, path, header, reader);
    if (end === null) {
      closeSync(fd);
      return null;
    }
    return openedLog(fd, path, end, io);
  } catch (error) {
    closeSync(fd);
    throw error;
  }
}

function openedLog(fd: number, path: string, end: { length: number; tip: Link }, io: LogDisk): LinkedLog {
  let { length, tip } = end;
  /** Why nothing can be written any more. What fsync has failed for may or may not be on the disk: only a restart can tell. */
  let broken: string | null = null;

  function write(line: string, wait: boolean): void {
    if (broken !== null) throw new LogUnwritable(`${path} cannot be written until the process is restarted: ${broken}`);
    const bytes = Buffer.from(line);
    try {
      io.write(fd, bytes, length);
    } catch (error) {
      try {
        io.truncate(fd, length);
      } catch (second) {
        broken = String(second);
      }
      throw new LogUnwritable(`${path} cannot be written: ${String(error)}`);
    }
    if (wait) {
      try {
        io.sync(fd);
      } catch (error) {
        broken = String(error);
        throw new LogUnwritable(`${path} could not be brought to the disk: ${broken}`);
      }
    }
    length += bytes.length;
  }

  return {
    tip: () => tip,
    append(fields) {
      const seq = tip.seq + 1;
      const body = JSON.stringify({ seq, ...fields });
      const hash = linkOf(tip.hash, body);
      const offset = length;
      const line = lineOf(body, hash);
      if (Buffer.byteLength(line) > maxLineBytes) throw new LogUnwritable(`an entry of ${line.length} characters`);
      write(line, true);
      tip = { seq, hash };
      return { seq, hash, offset, fields };
    },
    note(mark) {
      try {
        write(`${notePrefix}${mark}}\n`, false);
      } catch {
        // The next entry will say why nothing can be written; a note that is missing is only asked about again.
      }
    },
    readAt(offset) {
      const bytes = Buffer.alloc(Math.min(maxLineBytes, length - offset));
      const count = readSync(fd, bytes, 0, bytes.length, offset);
      const lineEnd = bytes.subarray(0, count).indexOf(newline);
      return parseEntry(bytes.toString('utf8', 0, lineEnd < 0 ? count : lineEnd), offset);
    },
    close: () => closeSync(fd),
  };
}

/**
 * Reads and verifies every line; removes what a crash left of the last one.
 * @returns null when not even the header is there
 */
function readLines(
  fd: number,
  path: string,
  header: Record<string, unknown>,
  reader: LogReader | null,
): { length: number; tip: Link } | null {
  let length = 0;
  let tip: Link | null = null;
  let torn: { offset: number; why: string } | null = null;
  for (const { offset, text, isWhole } of lines(fd)) {
    if (torn) throw new ConfigError(`${path} is damaged at byte ${torn.offset}: ${torn.why}, and more follows`);
    if (!isWhole) {
      torn = { offset, why: 'a line is not finished' };
    } else if (tip === null) {
      if (text !== lineOf(JSON.stringify(header), headerHash(header)).slice(0, -1)) {
        throw new ConfigError(`${path} is not the journal of this installation: its first line is another one`);
      }
      tip = { seq: 0, hash: headerHash(header) };
    } else if (text.startsWith(notePrefix)) {
      reader?.onNote(Number(text.slice(notePrefix.length, -1)));
    } else {
      const why = flawOf(text, tip);
      if (why === null) {
        const entry = parseEntry(text, offset);
        tip = { seq: entry.seq, hash: entry.hash };
        reader?.onEntry(entry);
      } else torn = { offset, why };
    }
    if (!torn) length = offset + Buffer.byteLength(text) + 1;
  }
  if (tip === null) return null;
  if (torn && reader) {
    ftruncateSync(fd, length);
    fsyncSync(fd);
  }
  return { length, tip };
}

function flawOf(text: string, previous: Link): string | null {
  const hash = hashSuffix.exec(text)?.[1];
  if (hash === undefined) return 'a line has no hash';
  const body = `${text.slice(0, -hashSuffixLength)}}`;
  if (!body.startsWith(`{"seq":${previous.seq + 1},`)) return `entry ${previous.seq + 1} is missing`;
  return linkOf(previous.hash, body) === hash ? null : `entry ${previous.seq + 1} is not what its hash says`;
}

function parseEntry(text: string, offset: number): LoadedEntry {
  const { seq, hash, ...fields } = JSON.parse(text) as { seq: number; hash: string };
  return { seq, hash, offset, fields };
}

/** The file's lines, read in pieces; the last one may lack its end. */
function* lines(fd: number): Generator<{ offset: number; text: string; isWhole: boolean }> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = 0;
  for (let position = 0; ; ) {
    const chunk = Buffer.alloc(chunkBytes);
    const count = readSync(fd, chunk, 0, chunkBytes, position);
    if (count === 0) break;
    position += count;
    const bytes = rest.length === 0 ? chunk.subarray(0, count) : Buffer.concat([rest, chunk.subarray(0, count)]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield { offset: offset + start, text: bytes.toString('utf8', start, end), isWhole: true };
      start = end + 1;
    }
    rest = bytes.subarray(start);
    offset += start;
  }
  if (rest.length > 0) yield { offset, text: rest.toString('utf8'), isWhole: false };
}

/** -1 when there is no such file and none is to be made. */
function openFile(path: string, flags: number): number {
  try {
    return openSync(path, flags, 0o600);
  } catch (error) {
    const missing = error instanceof Error && 'code' in error && error.code === 'ENOENT';
    if (missing && (flags & constants.O_CREAT) === 0) return -1;
    throw new ConfigError(`${path} cannot be opened: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/**
 * Node has no flock(2). The command of util-linux takes the lock on our own open file, which it inherits; the lock stays with
 * us when the command ends, and the kernel releases it when we do.
 */
function lockFile(fd: number, path: string): void {
  const { status, error } = spawnSync('flock', ['--exclusive', '--nonblock', '3'], {
    stdio: ['ignore', 'ignore', 'ignore', fd],
  });
  if (error) throw new ConfigError(`${path} cannot be locked: the command flock (util-linux) is missing`);
  if (status !== 0) throw new ConfigError(`${path} is held by another process`);
}

/** A new name is durable once its directory is. */
function syncDirectory(path: string): void {
  const fd = openSync(dirname(path), constants.O_RDONLY);
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}
