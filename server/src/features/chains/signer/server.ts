import { chmodSync, rmSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import type { Log } from '../../../platform/log.ts';
import { type SignAnswer, type SignRequest, signRequest } from './protocol.ts';

const maxRequestBytes = 10_000;

export interface SignerServer {
  close(): Promise<void>;
}

/**
 * Listens on a unix socket that only this user may open. Requests are judged one after another, so that the journal is
 * never read by two at once.
 */
export async function serveSigner(
  socketPath: string,
  sign: (request: SignRequest) => Promise<SignAnswer>,
  log: Log,
): Promise<SignerServer> {
  await removeStale(socketPath);
  let queue: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<SignAnswer>): Promise<SignAnswer> => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request could not be answered');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if (request.method !== 'POST' || request.url !== '/sign') {
      response.writeHead(404).end();
      return;
    }
    const parsed = signRequest.safeParse(await readJson(request));
    if (!parsed.success) {
      response.writeHead(400).end();
      return;
    }
    const answer = await inTurn(() => sign(parsed.data));
    if (!answer.signed) log.warn({ request: nameOf(parsed.data), refusal: answer.refusal }, 'refused to sign');
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  const mask = process.umask(0o177);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    chmodSync(socketPath, 0o600);
  } finally {
    process.umask(mask);
  }
  return {
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
      }),
  };
}

function nameOf(request: SignRequest): Record<string, unknown> {
  const { kind, companyId, transferId, nonce } = request;
  return { kind, companyId, transferId, nonce };
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size > maxRequestBytes) return null;
    chunks.push(chunk);
  }
  try {
    return JSON.parse(Buffer.concat(chunks).toString('utf8'));
  } catch {
    return null;
  }
}

/** A socket left by a signer that was killed is removed; one that answers belongs to another signer. */
async function removeStale(socketPath: string): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
  if (answers) throw new Error(`another signer listens on ${socketPath}`);
  rmSync(socketPath, { force: true });
}
