import { generateKeyPairSync } from 'node:crypto';
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import ssh2 from 'ssh2';
import { fingerprintOf } from '../features/banks/index.ts';
import type { FilesConnection } from '../platform/config/bank-connections.ts';

const { Server, utils } = ssh2;
const { STATUS_CODE } = utils.sftp;

/** A small SFTP server over a folder, for the adapter's tests: real sign-in by key, real host keys, and faults on demand. */
export interface TestSftp {
  /** The bank's folder on this machine, with `in` and `out`. */
  folder: string;
  connection: FilesConnection;
  /** Another host key from now on. */
  changeHostKey(): void;
  /** After so many bytes of a file have been read, once: the connection breaks, the server goes silent, or the file ends. */
  failAfter(bytes: number, how: 'break' | 'silence' | 'end'): void;
  /** Renaming is refused while true. */
  refuseRenames(refused: boolean): void;
  /**
   * Of the next file that is written or renamed, once. refused: the server says no. short: it takes half and says nothing. silence: no answer.
   * break: the connection ends before, or after it was done.
   */
  failNext(what: 'writing' | 'renaming', how: WritingFault): void;
  close(): Promise<void>;
}

export type WritingFault = 'refused' | 'short' | 'silence' | 'break' | 'break after';

interface Open {
  path: string;
  fd?: number;
  names?: string[];
  /** What is written from now on is lost. */
  isFull?: boolean;
}

function key(): string {
  return generateKeyPairSync('ec', { namedCurve: 'prime256v1' }).privateKey.export({
    type: 'sec1',
    format: 'pem',
  }) as string;
}

function publicOf(privateKey: string): Buffer {
  const parsed = utils.parseKey(privateKey);
  if (parsed instanceof Error) throw parsed;
  return (Array.isArray(parsed) ? parsed[0] : parsed).getPublicSSH();
}

export async function testSftp(): Promise<TestSftp> {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-sftp-'));
  for (const name of ['in', 'out']) mkdirSync(join(folder, name));
  const [ours, host] = [key(), key()];
  const privateKeyFile = join(folder, 'key.pem');
  await writeFile(privateKeyFile, ours, { mode: 0o600 });
  let fault: { left: number; how: 'break' | 'silence' | 'end' } | null = null;
  let renamesRefused = false;
  const next: { writing?: WritingFault | undefined; renaming?: WritingFault | undefined } = {};
  const clients = new Set<ssh2.Connection>();
  const accept = (client: ssh2.Connection) => {
    clients.add(client);
    // SFTP is many small answers: each would wait for the client's acknowledgement of the one before.
    (client as ssh2.Connection & { setNoDelay(isOn: boolean): void }).setNoDelay(true);
    client.on('error', () => undefined);
    client.on('close', () => clients.delete(client));
    client.on('authentication', (context) => {
      const isOurs = context.method === 'publickey' && context.key.data.equals(publicOf(ours));
      if (isOurs) context.accept();
      else context.reject(['publickey']);
    });
    client.on('ready', () => client.on('session', (open) => open().on('sftp', (begin) => serve(begin(), client))));
  };

  function serve(sftp: ssh2.SFTPWrapper, client: ssh2.Connection): void {
    const at = (path: string) => join(folder, path);
    const handles = new Map<number, Open>();
    let last = 0;
    const handle = (entry: Open) => {
      last += 1;
      handles.set(last, entry);
      const buffer = Buffer.alloc(4);
      buffer.writeUInt32BE(last);
      return buffer;
    };
    const of = (buffer: Buffer) => handles.get(buffer.readUInt32BE());
    const attributes = (stats: Stats) => ({
      mode: stats.mode,
      uid: stats.uid,
      gid: stats.gid,
      size: stats.size,
      atime: Math.floor(stats.atimeMs / 1000),
      mtime: Math.floor(stats.mtimeMs / 1000),
    });
    const stat = (id: number, path: string) =>
      existsSync(at(path)) ? sftp.attrs(id, attributes(statSync(at(path)))) : sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
    sftp.on('REALPATH', (id, path) =>
      sftp.name(id, [{ filename: path === '.' ? '/' : path, longname: path, attrs: attributes(statSync(folder)) }]),
    );
    sftp.on('STAT', stat);
    sftp.on('LSTAT', stat);
    sftp.on('FSTAT', (id, buffer) => stat(id, of(buffer)?.path ?? ''));
    sftp.on('OPENDIR', (id, path) => {
      if (!existsSync(at(path))) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      else sftp.handle(id, handle({ path, names: readdirSync(at(path)) }));
    });
    sftp.on('READDIR', (id, buffer) => {
      const open = of(buffer);
      if (!open?.names) return sftp.status(id, STATUS_CODE.EOF);
      const names = open.names;
      delete open.names;
      sftp.name(
        id,
        names.map((filename) => {
          const stats = statSync(join(at(open.path), filename));
          return {
            filename,
            longname: `${stats.isDirectory() ? 'd' : '-'}rw-r--r-- 1 a a 0 x ${filename}`,
            attrs: attributes(stats),
          };
        }),
      );
    });
    sftp.on('OPEN', (id, path, flags) => {
      const mode = utils.sftp.flagsToString(flags) ?? 'r';
      if (!existsSync(mode === 'r' ? at(path) : dirname(at(path)))) sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      else sftp.handle(id, handle({ path, fd: openSync(at(path), mode) }));
    });
    /** Whether it was answered, or the connection is gone. */
    const failed = (id: number, what: 'writing' | 'renaming', work: () => void): boolean => {
      const how = next[what];
      delete next[what];
      if (how === undefined) return false;
      if (how === 'refused') sftp.status(id, STATUS_CODE.FAILURE);
      if (how === 'break after') work();
      if (how === 'break' || how === 'break after') client.end();
      if (how === 'short') {
        work();
        sftp.status(id, STATUS_CODE.OK);
      }
      return true;
    };
    sftp.on('WRITE', (id, buffer, offset, data) => {
      const open = of(buffer);
      const write = (length: number) => writeSync(open?.fd ?? -1, data, 0, length, offset);
      const half = () => {
        write(Math.floor(data.length / 2));
        if (open) open.isFull = true;
      };
      if (failed(id, 'writing', half)) return;
      if (!open?.isFull) write(data.length);
      sftp.status(id, STATUS_CODE.OK);
    });
    for (const name of ['SETSTAT', 'FSETSTAT'] as const) sftp.on(name, (id: number) => sftp.status(id, STATUS_CODE.OK));
    sftp.on('READ', (id, buffer, offset, length) => {
      if (fault && offset >= fault.left) {
        const { how } = fault;
        if (how === 'silence') return;
        fault = null;
        if (how === 'end') return sftp.status(id, STATUS_CODE.EOF);
        return void client.end();
      }
      const wanted = fault ? Math.min(length, Math.max(1, fault.left - offset)) : length;
      const data = Buffer.alloc(wanted);
      const read = readSync(of(buffer)?.fd ?? -1, data, 0, wanted, offset);
      if (read === 0) sftp.status(id, STATUS_CODE.EOF);
      else sftp.data(id, data.subarray(0, read));
    });
    sftp.on('CLOSE', (id, buffer) => {
      const open = of(buffer);
      if (open?.fd !== undefined) closeSync(open.fd);
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on('MKDIR', (id, path) => {
      mkdirSync(at(path));
      sftp.status(id, STATUS_CODE.OK);
    });
    sftp.on('RENAME', (id, from, to) => {
      if (renamesRefused) return sftp.status(id, STATUS_CODE.PERMISSION_DENIED);
      // As OpenSSH does it: nothing is replaced.
      if (existsSync(at(to))) return sftp.status(id, STATUS_CODE.FAILURE);
      if (!existsSync(at(from))) return sftp.status(id, STATUS_CODE.NO_SUCH_FILE);
      const rename = () => renameSync(at(from), at(to));
      if (failed(id, 'renaming', rename)) return;
      rename();
      sftp.status(id, STATUS_CODE.OK);
    });
  }

  const listen = async (hostKey: string, port: number) => {
    const server = new Server({ hostKeys: [hostKey] }, accept);
    await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', () => resolve()));
    return server;
  };
  const server = await listen(host, 0);
  const other = await listen(key(), 0);
  const portOf = (of: typeof server) => (of.address() as AddressInfo).port;
  const connection: FilesConnection = {
    bank: 'harbour-hk',
    kind: 'files',
    host: '127.0.0.1',
    port: portOf(server),
    user: 'causeway',
    privateKeyFile,
    hostKeyFingerprint: fingerprintOf(publicOf(host)),
    outgoing: '/out',
    incoming: '/in',
    pollIntervalMs: 100,
    timeoutMs: 2000,
    maxFileBytes: 1_000_000,
  };
  return {
    folder,
    connection,
    changeHostKey() {
      connection.port = portOf(other);
    },
    failAfter(bytes, how) {
      fault = { left: bytes, how };
    },
    refuseRenames(refused) {
      renamesRefused = refused;
    },
    failNext(what, how) {
      next[what] = how;
    },
    async close() {
      for (const client of clients) client.end();
      await Promise.all([server, other].map((each) => new Promise<void>((resolve) => each.close(() => resolve()))));
      await rm(folder, { recursive: true, force: true });
    },
  };
}
