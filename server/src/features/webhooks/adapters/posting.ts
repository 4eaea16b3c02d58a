import type { LookupAddress, LookupOptions } from 'node:dns';
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, type LookupFunction, type Socket } from 'node:net';
import { type WebhookProblem, webhookAnswerBytes } from '@causeway/contract/webhooks-rules.ts';
import { AddressRefused, type AddressRules, addressesOf, hostOf, type Resolve, resolveAll } from './addresses.ts';

/** Sends one message: to an address that was checked, without following where an answer leads, and within bounds of time and size. */

export interface Outcome {
  /** Of the answer; null: there was none. */
  status: number | null;
  /** Null: it was accepted. */
  problem: WebhookProblem | null;
  /** The first 2048 bytes of the answer, as text. */
  answer: string | null;
  durationMs: number;
}

export interface Posting {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Sends a message, whatever comes of it. `signal` aborts when the worker stops. */
export type Post = (posting: Posting, signal: AbortSignal) => Promise<Outcome>;

export interface PostLimits {
  connectMs: number;
  totalMs: number;
  answerBytes: number;
}

const usualLimits: PostLimits = { connectMs: 5000, totalMs: 10_000, answerBytes: 64 * 1024 };

class PostError extends Error {
  readonly problem: WebhookProblem;

  constructor(problem: WebhookProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** Rejects with the signal's reason where that aborts; whatever else goes wrong is an outcome. */
export function createPost(
  rules: AddressRules,
  { resolve = resolveAll, limits = usualLimits }: { resolve?: Resolve; limits?: PostLimits } = {},
): Post {
  return async (posting, signal) => {
    const startedAt = performance.now();
    const ended = (known: Omit<Outcome, 'durationMs'>): Outcome => ({
      ...known,
      durationMs: Math.round(performance.now() - startedAt),
    });
    try {
      const url = new URL(posting.url);
      const addresses = await addressesOf(url, rules, resolve);
      const { status, answer } = await send(url, addresses, posting, limits, signal);
      return ended({ status, problem: problemOfStatus(status), answer });
    } catch (error) {
      signal.throwIfAborted();
      return ended({ status: null, problem: problemOf(error), answer: null });
    }
  };
}

function problemOfStatus(status: number): WebhookProblem | null {
  if (status >= 200 && status < 300) return null;
  if (status === 410) return 'gone';
  return status >= 300 && status < 400 ? 'redirect' : 'status';
}

/** Errors of TLS by the beginnings of their codes (OpenSSL and Node). */
const tlsCodes = /^(ERR_TLS|ERR_SSL|CERT_|EPROTO|UNABLE_TO|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_CA|CRL_)/;
const unconnected = new Set(['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENETDOWN', 'EADDRNOTAVAIL', 'ETIMEDOUT']);

function problemOf(error: unknown): WebhookProblem {
  if (error instanceof PostError) return error.problem;
  if (error instanceof AddressRefused) return error.problem === 'name' ? 'name' : 'address';
  const { code } = error as { code?: unknown };
  if (typeof code !== 'string') return 'broken';
  if (tlsCodes.test(code)) return 'tls';
  return unconnected.has(code) ? 'connect' : 'broken';
}

function send(
  url: URL,
  addresses: readonly LookupAddress[],
  { headers, body }: Posting,
  { connectMs, totalMs, answerBytes }: PostLimits,
  signal: AbortSignal,
): Promise<{ status: number; answer: string }> {
  const isSecure = url.protocol === 'https:';
  const host = hostOf(url);
  return new Promise((resolve, reject) => {
    const asked: ClientRequest = (isSecure ? httpsRequest : httpRequest)({
      method: 'POST',
      protocol: url.protocol,
      hostname: host,
      port: url.port === '' ? undefined : Number(url.port),
      path: url.pathname + url.search,
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      // A connection of its own: none that another company's endpoint at the same name has opened.
      agent: false,
      lookup: leadingTo(addresses),
      signal,
      ...(isSecure && isIP(host) === 0 ? { servername: host } : {}),
    });
    let isConnected = false;
    AbortSignal.timeout(connectMs).addEventListener('abort', () => {
      if (!isConnected) asked.destroy(new PostError('timeout'));
    });
    AbortSignal.timeout(totalMs).addEventListener('abort', () => asked.destroy(new PostError('timeout')));
    asked.once('socket', (socket: Socket) => {
      socket.once('connect', () => {
        if (!addresses.some(({ address }) => isSame(address, socket.remoteAddress))) {
          asked.destroy(new PostError('address'));
        }
        if (!isSecure) isConnected = true;
      });
      socket.once('secureConnect', () => {
        isConnected = true;
      });
    });
    asked.once('error', reject);
    asked.once('response', (response) => {
      readAnswer(response, answerBytes).then((answer) => {
        resolve({ status: response.statusCode ?? 0, answer });
        asked.destroy();
      }, reject);
    });
    asked.end(body);
  });
}

/** Resolves any name to these addresses. */
function leadingTo(addresses: readonly LookupAddress[]): LookupFunction {
  const [first] = addresses;
  return (_name, options: LookupOptions, done) => {
    if (options.all) done(null, [...addresses]);
    else done(null, first?.address ?? '', first?.family);
  };
}

/** An IPv4 address may be called by its IPv6 form. */
function isSame(address: string, remote: string | undefined): boolean {
  return remote !== undefined && (remote === address || remote === `::ffff:${address}`);
}

/** The first bytes of an answer, read no further than `mostBytes`. */
async function readAnswer(response: IncomingMessage, mostBytes: number): Promise<string> {
  const kept: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of response) {
    const part = chunk as Buffer;
    if (bytes < webhookAnswerBytes) kept.push(part.subarray(0, webhookAnswerBytes - bytes));
    bytes += part.length;
    if (bytes >= mostBytes) break;
  }
  // PostgreSQL's texts hold no NUL.
  return Buffer.concat(kept).toString('utf8').replaceAll('\0', '�');
}
