import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import SftpClient from 'ssh2-sftp-client';
import type { FilesConnection } from '../../../platform/config/bank-connections.ts';
import {
  BankConnectionError,
  type BankConnectionProblem,
  type BankGateway,
  type BankVisit,
  type OrderFolder,
} from '../gateway.ts';

/**
 * A bank that is reached by files over SFTP (host to host): it writes into the folder `incoming` and renames when a file is whole; we
 * move what we have stored to `done` below it. Key sign-in; a server with another host key than the pinned one is refused before we
 * sign in. Every answer has a time limit, and a connection that went silent is noticed by keep-alives.
 */
export function filesGateway(connection: FilesConnection): BankGateway {
  return {
    bank: connection.bank,
    source: 'files',
    async visit(work) {
      const client = await open(connection);
      try {
        return await work(visitOf(client, connection));
      } finally {
        await within(client.end(), connection.timeoutMs).catch(() => undefined);
      }
    },
  };
}

/** A file that the bank is still writing. */
const unfinished = /\.tmp$/i;
const keepAlives = 3;

async function open(connection: FilesConnection): Promise<SftpClient> {
  const { host, port, user, privateKeyFile, timeoutMs } = connection;
  const privateKey = await readFile(privateKeyFile).catch((error: NodeJS.ErrnoException) => {
    throw new BankConnectionError('signInRefused', `our key cannot be read: ${error.code}`);
  });
  const ignore = () => undefined;
  const client = new SftpClient('causeway', { error: ignore, end: ignore, close: ignore });
  let seen: string | undefined;
  const connecting = client.connect({
    host,
    port,
    username: user,
    privateKey,
    readyTimeout: timeoutMs,
    keepaliveInterval: Math.ceil(timeoutMs / keepAlives),
    keepaliveCountMax: keepAlives,
    hostVerifier(key: Buffer) {
      seen = fingerprintOf(key);
      return seen === connection.hostKeyFingerprint;
    },
  });
  try {
    await within(connecting, timeoutMs);
  } catch (error) {
    await within(client.end(), timeoutMs).catch(() => undefined);
    const isOther = seen !== undefined && seen !== connection.hostKeyFingerprint;
    throw isOther ? new BankConnectionError('hostKeyChanged', seen ?? '') : problemOf(error);
  }
  return client;
}

/** As OpenSSH prints it. */
export function fingerprintOf(key: Uint8Array): string {
  return `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;
}

function visitOf(client: SftpClient, connection: FilesConnection): BankVisit {
  const { incoming, timeoutMs, maxFileBytes } = connection;
  const at = (name: string) => `${incoming.replace(/\/$/, '')}/${name}`;
  const asked = <T>(answer: Promise<T>) =>
    within(answer, timeoutMs).catch((error: unknown) => {
      throw problemOf(error);
    });
  const isThere = (path: string) => asked(client.exists(path));
  return {
    orders: folderOf(client, connection),
    async messages() {
      const files = await asked(client.list(incoming));
      return files
        .filter(({ type, name }) => type === '-' && !unfinished.test(name))
        .map(({ name, size }) => ({ name, bytes: size }))
        .sort((one, other) => (one.name < other.name ? -1 : 1));
    },
    async *content({ name, bytes }) {
      if (bytes > maxFileBytes) throw new BankConnectionError('fileTooLarge', name);
      let read = 0;
      for await (const chunk of withTimeouts(client.createReadStream(at(name)) as Readable, timeoutMs)) {
        read += chunk.length;
        if (read > maxFileBytes) throw new BankConnectionError('fileTooLarge', name);
        yield chunk;
      }
      // Ended early, or still growing: either way not the file that was listed.
      const { size } = await asked(client.stat(at(name)));
      if (read !== bytes || size !== bytes) throw new BankConnectionError('brokenOff', name);
    },
    async confirm({ name }) {
      const done = at('done');
      if (!(await isThere(done))) await asked(client.mkdir(done, true));
      for (let copy = 1; ; copy += 1) {
        const target = `${done}/${name}${copy === 1 ? '' : `.${copy}`}`;
        if (await isThere(target)) continue;
        await asked(client.rename(at(name), target)).catch((error: unknown) => {
          throw new BankConnectionError('notMoved', `${name}: ${wordsOf(error)}`);
        });
        return;
      }
    },
  };
}

/** The bank reads no name that ends so. */
const ending = '.tmp';

function folderOf(client: SftpClient, { outgoing, timeoutMs }: FilesConnection): OrderFolder {
  const at = (name: string) => `${outgoing.replace(/\/$/, '')}/${name}`;
  const asked = <T>(answer: Promise<T>) =>
    within(answer, timeoutMs).catch((error: unknown) => {
      throw problemOf(error);
    });
  const isThere = async (path: string) => Boolean(await asked(client.exists(path)));
  // What the server says no to is no broken connection: the visit goes on to what the bank has for us.
  const written = <T>(answer: Promise<T>, name: string) =>
    within(answer, timeoutMs).catch((error: unknown) => {
      throw isRefusal(error) ? new BankConnectionError('notWritten', `${name}: ${wordsOf(error)}`) : problemOf(error);
    });
  return {
    kind: 'folder',
    async look(name) {
      if (await isThere(at(name))) return 'whole';
      return (await isThere(at(name + ending))) ? 'unfinished' : 'none';
    },
    async put(name, content) {
      const path = at(name + ending);
      if (!(await isThere(outgoing))) throw new BankConnectionError('folderMissing', outgoing);
      await written(client.put(Buffer.from(content), path), name);
      // Some servers tell a full disk by the length alone.
      const { size } = await asked(client.stat(path));
      if (size !== content.length) throw new BankConnectionError('notWritten', name);
    },
    async finish(name) {
      await written(client.rename(at(name + ending), at(name)), name);
    },
  };
}

/** Reads a stream whose every piece has the time limit; a connection that closes in the middle is an error. */
async function* withTimeouts(stream: Readable, timeoutMs: number): AsyncGenerator<Uint8Array> {
  // A connection that ends later fails what was still asked of it; no one waits for that any more.
  stream.on('error', () => undefined);
  const pieces = stream[Symbol.asyncIterator]();
  const next = () =>
    within(pieces.next() as Promise<IteratorResult<Uint8Array>>, timeoutMs).catch((error: unknown) => {
      throw problemOf(error);
    });
  try {
    for (;;) {
      const { done, value } = await next();
      if (done) return;
      yield value;
    }
  } finally {
    stream.destroy();
  }
}

/** Statuses of SFTP (draft-ietf-secsh-filexfer-02, 7) that answer a request otherwise than by what is not there or a lost connection. */
const refusals: ReadonlySet<unknown> = new Set([3, 4, 5, 8]);

function isRefusal(error: unknown): boolean {
  return refusals.has((error as { code?: unknown }).code);
}

class SilenceError extends Error {}

async function within<T>(answer: Promise<T>, timeoutMs: number): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(new SilenceError(`no answer within ${timeoutMs} ms`)), timeoutMs);
  try {
    return await Promise.race([answer, promise]);
  } finally {
    clearTimeout(timer);
    answer.catch(() => undefined);
  }
}

/** What the library says, as a problem of the connection. */
function problemOf(error: unknown): BankConnectionError {
  const words = wordsOf(error);
  const { code } = error as { code?: unknown };
  const of = (problem: BankConnectionProblem) => new BankConnectionError(problem, words);
  if (/authentication|publickey/i.test(words)) return of('signInRefused');
  return of(code === 'ENOENT' || code === 2 || /no such file|bad path/i.test(words) ? 'folderMissing' : 'unreachable');
}

function wordsOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).slice(0, 500);
}
