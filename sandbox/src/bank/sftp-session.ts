import type { Stats } from 'node:fs';
import { type FileHandle, open, readdir, rename, stat, unlink } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Attributes, SFTPWrapper } from 'ssh2';
import { FOLDERS } from './file-exchange.ts';
import type { SftpMode } from './sftp-modes.ts';

/** SFTP version 3 (draft-ietf-secsh-filexfer-02) over the bank's folders; no folder is made or removed, no attribute changed. */

const OK = 0;
const EOF = 1;
const NO_SUCH_FILE = 2;
const PERMISSION_DENIED = 3;
const FAILURE = 4;
const OP_UNSUPPORTED = 8;

const READ = 1;
const WRITE = 2;
const APPEND = 4;
const CREATE = 8;
const TRUNCATE = 16;
const EXCLUSIVE = 32;

const LARGEST_READ = 256 * 1024;

export type SessionOptions = {
  root: string;
  fault: () => { mode: SftpMode; delay_ms: number };
  breakOff: () => void;
  onChange: () => void;
};

type Opened = { file: FileHandle; half: number; isWritten: boolean } | { names: string[]; folder: string };

/** A refusal with SFTP's status code. */
class SftpRefusal extends Error {
  readonly code: number;

  constructor(code: number, message: string) {
    super(message);
    this.code = code;
  }
}

export function serveFiles(sftp: SFTPWrapper, options: SessionOptions): void {
  const handles = new Map<number, Opened>();
  let next = 1;

  /** Runs a request and reports its end, one after another as they came in. */
  let turn: Promise<void> = Promise.resolve();
  const serve = (id: number, work: () => Promise<void>): void => {
    turn = turn.then(async () => {
      const { mode, delay_ms } = options.fault();
      if (mode === 'slow') await new Promise((resolve) => setTimeout(resolve, delay_ms));
      await work().catch((error: unknown) => report(sftp, id, error));
    });
  };
  const done = (id: number): void => sftp.status(id, OK);
  const add = (id: number, opened: Opened): void => {
    const handle = Buffer.alloc(4);
    handle.writeUInt32BE(next);
    handles.set(next, opened);
    next += 1;
    sftp.handle(id, handle);
  };
  const opened = (handle: Buffer): Opened => {
    const found = handle.length === 4 ? handles.get(handle.readUInt32BE()) : undefined;
    if (found === undefined) throw new SftpRefusal(FAILURE, 'unknown handle');
    return found;
  };
  const fileOf = (handle: Buffer) => {
    const found = opened(handle);
    if (!('file' in found)) throw new SftpRefusal(FAILURE, 'not a file');
    return found;
  };

  sftp.on('REALPATH', (id, path) =>
    serve(id, async () => sftp.name(id, [{ filename: plain(path), longname: plain(path), attrs: NO_ATTRIBUTES }])),
  );
  const showStats = (id: number, path: string) =>
    serve(id, async () => sftp.attrs(id, attributes(await stat(place(options.root, path)))));
  sftp.on('STAT', showStats);
  sftp.on('LSTAT', showStats);
  sftp.on('FSTAT', (id, handle) => serve(id, async () => sftp.attrs(id, attributes(await fileOf(handle).file.stat()))));
  sftp.on('SETSTAT', (id) => serve(id, async () => done(id)));
  sftp.on('FSETSTAT', (id) => serve(id, async () => done(id)));

  sftp.on('OPEN', (id, path, flags) =>
    serve(id, async () => {
      const target = fileAt(options.root, path);
      const isWritten = (flags & WRITE) !== 0;
      if (isWritten && folderOf(path) !== '/out')
        throw new SftpRefusal(PERMISSION_DENIED, 'the bank alone writes here');
      const file = await open(target, systemFlags(flags), 0o600);
      add(id, { file, half: Math.floor((await file.stat()).size / 2), isWritten });
    }),
  );
  sftp.on('READ', (id, handle, offset, length) =>
    serve(id, async () => {
      const { file, half } = fileOf(handle);
      const isCut = options.fault().mode === 'cutting';
      const wanted = Math.min(length, LARGEST_READ, isCut ? Math.max(half - offset, 0) : LARGEST_READ);
      const buffer = Buffer.alloc(wanted);
      const { bytesRead } = await file.read(buffer, 0, wanted, offset);
      if (bytesRead > 0) sftp.data(id, buffer.subarray(0, bytesRead));
      if (isCut && offset + bytesRead >= half) return options.breakOff();
      if (bytesRead === 0) sftp.status(id, EOF);
    }),
  );
  sftp.on('WRITE', (id, handle, offset, data) =>
    serve(id, async () => {
      const { file } = fileOf(handle);
      const { mode } = options.fault();
      if (mode === 'full') throw new SftpRefusal(FAILURE, 'No space left on device');
      const part = mode === 'cutting' ? data.subarray(0, Math.floor(data.length / 2)) : data;
      await file.write(part, 0, part.length, offset);
      if (mode === 'cutting') return options.breakOff();
      done(id);
    }),
  );
  sftp.on('CLOSE', (id, handle) =>
    serve(id, async () => {
      const found = opened(handle);
      handles.delete(handle.readUInt32BE());
      if ('file' in found) await closeFile(found);
      done(id);
      if ('file' in found && found.isWritten) options.onChange();
    }),
  );

  sftp.on('OPENDIR', (id, path) =>
    serve(id, async () => {
      const folder = place(options.root, path);
      add(id, { folder, names: (await readdir(folder)).sort() });
    }),
  );
  sftp.on('READDIR', (id, handle) =>
    serve(id, async () => {
      const found = opened(handle);
      if (!('names' in found)) throw new SftpRefusal(FAILURE, 'not a folder');
      const names = found.names.splice(0, 200);
      if (names.length === 0) return sftp.status(id, EOF);
      const entries = await Promise.all(names.map((name) => entry(found.folder, name)));
      sftp.name(id, entries.flat());
    }),
  );

  sftp.on('RENAME', (id, from, to) =>
    serve(id, async () => {
      const [source, target] = [fileAt(options.root, from), fileAt(options.root, to)];
      const isOwn = folderOf(from) === '/out' && folderOf(to) === '/out';
      const isKept = folderOf(from).startsWith('/in') && folderOf(to).startsWith('/in');
      if (!isOwn && !isKept) throw new SftpRefusal(PERMISSION_DENIED, 'files stay on their side');
      // Version 3: the new name must be free.
      const isTaken = await stat(target).then(
        () => true,
        () => false,
      );
      if (isTaken) throw new SftpRefusal(FAILURE, 'a file of that name is there');
      await rename(source, target);
      done(id);
      options.onChange();
    }),
  );
  sftp.on('REMOVE', (id, path) =>
    serve(id, async () => {
      await unlink(fileAt(options.root, path));
      done(id);
      options.onChange();
    }),
  );
  for (const event of ['MKDIR', 'RMDIR', 'SYMLINK', 'READLINK', 'EXTENDED'])
    sftp.on(event, (id: number) => serve(id, async () => sftp.status(id, OP_UNSUPPORTED)));

  const closeAll = (): void => {
    turn = turn.then(async () => {
      for (const found of handles.values()) if ('file' in found) await closeFile(found);
      handles.clear();
    });
  };
  sftp.on('end', closeAll);
  sftp.on('close', closeAll);
  sftp.on('error', () => undefined);
}

async function closeFile({ file, isWritten }: { file: FileHandle; isWritten: boolean }): Promise<void> {
  // What a client has closed is on the disk.
  if (isWritten) await file.sync().catch(() => undefined);
  await file.close().catch(() => undefined);
}

function report(sftp: SFTPWrapper, id: number, error: unknown): void {
  const [code, message] = statusOf(error);
  sftp.status(id, code, message);
}

function statusOf(error: unknown): [number, string] {
  if (error instanceof SftpRefusal) return [error.code, error.message];
  const code = error instanceof Error && 'code' in error ? error.code : '';
  if (code === 'ENOENT') return [NO_SUCH_FILE, 'No such file'];
  return [code === 'EACCES' || code === 'EISDIR' ? PERMISSION_DENIED : FAILURE, String(code || 'Failure')];
}

const plain = (path: string): string => posix.resolve('/', path);
const folderOf = (path: string): string => posix.dirname(plain(path));

/** A path inside the root; `..` leads no further than it. @throws SftpRefusal */
function place(root: string, path: string): string {
  const inside = plain(path);
  if (inside.includes('\0')) throw new SftpRefusal(NO_SUCH_FILE, 'No such file');
  return join(root, inside);
}

/** A file in one of the folders. @throws SftpRefusal */
function fileAt(root: string, path: string): string {
  const isFolder = FOLDERS.some((folder) => plain(path) === `/${folder}`);
  const isInside = FOLDERS.some((folder) => folderOf(path) === `/${folder}`);
  if (isFolder || !isInside) throw new SftpRefusal(PERMISSION_DENIED, 'files are in /out, /in and /in/done');
  return place(root, path);
}

function systemFlags(flags: number): string {
  const isExclusive = (flags & EXCLUSIVE) !== 0 ? 'x' : '';
  if ((flags & APPEND) !== 0) return `a${isExclusive}`;
  if ((flags & WRITE) === 0) return 'r';
  if ((flags & TRUNCATE) !== 0 || isExclusive !== '') return `w${isExclusive}${(flags & READ) !== 0 ? '+' : ''}`;
  return (flags & CREATE) !== 0 ? 'a' : 'r+';
}

const NO_ATTRIBUTES: Attributes = { mode: 0o40700, uid: 0, gid: 0, size: 0, atime: 0, mtime: 0 };

function attributes({ mode, size, atimeMs, mtimeMs }: Stats): Attributes {
  return { mode, uid: 0, gid: 0, size, atime: Math.floor(atimeMs / 1000), mtime: Math.floor(mtimeMs / 1000) };
}

async function entry(folder: string, name: string) {
  // A file that was moved since the folder was read is left out.
  const stats = await stat(join(folder, name)).catch(() => undefined);
  if (stats === undefined) return [];
  const kind = stats.isDirectory() ? 'd' : '-';
  const longname = `${kind}rw------- 1 bank bank ${stats.size} ${stats.mtime.toUTCString().slice(5, 22)} ${name}`;
  return [{ filename: name, longname, attrs: attributes(stats) }];
}
