import { chmodSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { dirname } from 'node:path';
import { type AskCheckpoint, checkpointRequest } from '../../../platform/audit/checkpoint.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import type { Log } from '../../../platform/process/log.ts';
import { type AskSolvency, solvencyRequest } from '../../../platform/solvency/signing.ts';
import { type AddressRegister, registeredRequest, registerRequest } from './address-register.ts';
import { type SignAnswer, type SignRequest, signRequest } from './protocol.ts';

/** A plan that spends as many outputs as one transaction can. */
const maxRequestBytes = 700_000;

export interface SignerServer {
  close(): Promise<void>;
}

/** What the signer serves: payments, addresses that are opened apart, checkpoints of the audit log, and reports of solvency. */
export interface SignerDuties {
  sign(request: SignRequest): Promise<SignAnswer>;
  checkpoint: AskCheckpoint;
  solvency: AskSolvency;
  addresses: AddressRegister;
}

export interface SocketAccess {
  /** The group of the socket's folder may use it too (0660); otherwise this user alone (0600). */
  isShared: boolean;
}

/**
 * Listens on a unix socket. Requests of one kind are judged one after another, so that a
 * journal is never read by two at once; a long audit log keeps no payment waiting.
 */
export async function serveSigner(
  socketPath: string,
  duties: SignerDuties,
  log: Log,
  { isShared }: SocketAccess = { isShared: false },
): Promise<SignerServer> {
  refuseUnsafeFolder(dirname(socketPath), isShared);
  await removeStale(socketPath);
  const payments = oneByOne();
  const checkpoints = oneByOne();

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => {
      log.error({ err: error }, 'a request could not be answered');
      if (!response.headersSent) response.writeHead(500);
      response.end();
    });
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const answerTo = request.method === 'POST' ? paths[request.url ?? ''] : undefined;
    if (!answerTo) {
      response.writeHead(404).end();
      return;
    }
    const answer = await answerTo(await readJson(request));
    if (answer === null) response.writeHead(400).end();
    else response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  }

  /** By path: the answer to a request, null when it is none of the protocol's. */
  const paths: Record<string, (json: unknown) => Promise<object | null>> = {
    '/sign': async (json) => {
      const parsed = signRequest.safeParse(json);
      if (!parsed.success) return null;
      const answer = await payments(() => duties.sign(parsed.data));
      if (!answer.signed) log.warn({ request: nameOf(parsed.data), refusal: answer.refusal }, 'refused to sign');
      return answer;
    },
    '/addresses/register': async (json) => {
      const parsed = registerRequest.safeParse(json);
      return parsed.success ? { place: await duties.addresses.register(parsed.data) } : null;
    },
    '/addresses/after': async (json) => {
      const parsed = registeredRequest.safeParse(json);
      return parsed.success ? duties.addresses.after(parsed.data.after) : null;
    },
    '/checkpoint': async (json) => {
      const parsed = checkpointRequest.safeParse(json);
      if (!parsed.success) return null;
      const answer = await checkpoints(() => duties.checkpoint(parsed.data));
      if (!answer.signed) log.warn({ request: parsed.data, refusal: answer.refusal }, 'refused to sign an audit log');
      return answer;
    },
    '/solvency': async (json) => {
      const parsed = solvencyRequest.safeParse(json);
      if (!parsed.success) return null;
      const answer = await checkpoints(() => duties.solvency(parsed.data));
      if (!answer.signed) log.warn({ request: parsed.data, refusal: answer.refusal }, 'refused to sign a report');
      return answer;
    },
  };

  const mode = isShared ? 0o660 : 0o600;
  const mask = process.umask(0o777 & ~mode);
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(socketPath, resolve);
    });
    chmodSync(socketPath, mode);
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

/**
 * Who may write into the folder could put another socket in this one's place. A shared socket takes its group from the folder,
 * so that the signer's user need not belong to it (setgid).
 * @throws ConfigError
 */
function refuseUnsafeFolder(folder: string, isShared: boolean): void {
  const found = statSync(folder, { throwIfNoEntry: false });
  if (!found?.isDirectory()) throw new ConfigError(`SIGNER_SOCKET: the folder ${folder} does not exist`);
  if (!isShared) return;
  const mode = found.mode & 0o7777;
  if ((mode & 0o022) !== 0 || (mode & 0o2010) !== 0o2010) {
    throw new ConfigError(
      `SIGNER_SOCKET_MODE=0660 needs a folder that only the signer's user may write and that gives its group to the socket: chmod 2750 ${folder} (it is ${mode.toString(8)}).`,
    );
  }
}

/** Runs what it is given one after another, whatever becomes of each. */
function oneByOne(): <T>(work: () => Promise<T>) => Promise<T> {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
}

function nameOf(request: SignRequest): Record<string, unknown> {
  const { kind, companyId, transferId, paymentId } = request;
  return { kind, companyId, transferId, paymentId };
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

/** A socket left by a signer that was killed is removed; one that accepts connections belongs to another signer. */
async function removeStale(socketPath: string): Promise<void> {
  const answers = await new Promise<boolean>((resolve) => {
    const socket = connect(socketPath, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
  if (answers) throw new ConfigError(`SIGNER_SOCKET: another signer listens on ${socketPath}; end it first.`);
  rmSync(socketPath, { force: true });
}
