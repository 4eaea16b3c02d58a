import { createHash, createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as z from 'zod';
import type { KrakenConfig } from '../../../platform/config/liquidity.ts';
import { RequestError, request } from '../../../platform/http/request.ts';
import { parseExactly } from '../../banks/index.ts';
import { VenueError } from '../hedging/venue.ts';

/** Kraken's REST API (spot): signed private calls, one after another. Numbers in its answers are texts here. */

const largestAnswerBytes = 4 * 1024 * 1024;

const envelope = z.object({ error: z.array(z.string()), result: z.unknown().optional() });

export interface KrakenClient {
  /** @throws VenueError */
  ask<T>(method: string, shape: z.ZodType<T>, parameters: Readonly<Record<string, string>>): Promise<T>;
  /** A private call, signed with the next nonce. @throws VenueError */
  call<T>(method: string, shape: z.ZodType<T>, parameters?: Readonly<Record<string, string>>): Promise<T>;
}

/**
 * `nextNonce` gives a larger number each time, whatever process asks, and has stored it before it returns. Calls of one client wait for one another: a request
 * that overtook the one before it would be refused for its nonce. For the same reason a request that was lost on the way cannot arrive after a later one.
 */
export function createKrakenClient(
  {
    url,
    apiKeyFile,
    privateKeyFile,
    timeoutMs,
  }: Pick<KrakenConfig, 'url' | 'apiKeyFile' | 'privateKeyFile' | 'timeoutMs'>,
  nextNonce: () => Promise<string>,
): KrakenClient {
  let last: Promise<unknown> = Promise.resolve();

  async function signed(method: string, parameters: Readonly<Record<string, string>>): Promise<unknown> {
    const [key, secret] = await Promise.all([readKey(apiKeyFile), readKey(privateKeyFile)]);
    const path = `/0/private/${method}`;
    const nonce = await nextNonce();
    const body = new URLSearchParams({ nonce, ...parameters }).toString();
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=utf-8',
      'API-Key': key,
      'API-Sign': signatureOf(path, nonce, body, secret),
    };
    return send(new URL(path, url), { method: 'POST', body, headers }, timeoutMs);
  }

  return {
    async ask(method, shape, parameters) {
      const address = new URL(`/0/public/${method}?${new URLSearchParams(parameters)}`, url);
      return read(method, await send(address, { method: 'GET', headers: {} }, timeoutMs), shape);
    },
    call(method, shape, parameters = {}) {
      const answer = last.then(() => signed(method, parameters));
      last = answer.catch(() => undefined);
      return answer.then((given) => read(method, given, shape));
    },
  };
}

/** `API-Sign`: HMAC-SHA512 of the path and SHA-256(nonce + body), by the private key; both in Base64 (Kraken, "Spot REST Authentication"). */
export function signatureOf(path: string, nonce: string, body: string, privateKey: string): string {
  const digest = createHash('sha256').update(`${nonce}${body}`).digest();
  return createHmac('sha512', Buffer.from(privateKey, 'base64')).update(path).update(digest).digest('base64');
}

async function readKey(file: string): Promise<string> {
  const text = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new VenueError('notSent', `our key cannot be read: ${error.code}`);
  });
  return text.trim();
}

async function send(
  address: URL,
  { headers, ...what }: { method: string; body?: string; headers: Record<string, string> },
  timeoutMs: number,
): Promise<unknown> {
  const { status, bytes } = await request(address, {
    ...what,
    headers: { accept: 'application/json', 'user-agent': 'Causeway', ...headers },
    timeoutMs,
    maxBytes: largestAnswerBytes,
  }).catch((error) => {
    if (!(error instanceof RequestError)) throw error;
    throw new VenueError(error.problem === 'notSent' ? 'notSent' : 'unknown', error.message);
  });
  if (status !== 200) throw new VenueError('unknown', `status ${status}`);
  try {
    return parseExactly(bytes.toString('utf8'));
  } catch {
    throw new VenueError('unknown', 'the answer is not JSON');
  }
}

function read<T>(method: string, answer: unknown, shape: z.ZodType<T>): T {
  const whole = envelope.safeParse(answer);
  if (!whole.success) throw new VenueError('unknown', `${method}: an answer of another form`);
  const errors = whole.data.error.filter((error) => error.startsWith('E'));
  if (errors.length > 0) throw new VenueError(outcomeOf(errors), errors.join(', '));
  const result = shape.safeParse(whole.data.result);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  throw new VenueError('unknown', `${method}: an answer of another form: ${issue?.path.join('.')} ${issue?.message}`);
}

/**
 * What an error says of the request ("Error messages" of the API). Errors about our request or our key were decided before anything was done; of the service's own
 * only those that say so, and everything else may have been carried out.
 */
function outcomeOf(errors: readonly string[]): 'refused' | 'notSent' | 'unknown' {
  const [error = ''] = errors;
  if (errors.length > 1 || /duplicate/i.test(error)) return 'unknown';
  if (/^E(API|General):(Rate limit|Invalid nonce|Too many requests|Temporary lockout)/.test(error)) return 'notSent';
  if (/^EOrder:(Rate limit|Orders limit)/.test(error)) return 'notSent';
  if (/^EService:(Deadline elapsed|Market in (cancel_only|post_only) mode)/.test(error)) return 'notSent';
  if (/^E(Order|API|Query|Auth|Account|Trade):/.test(error)) return 'refused';
  if (/^EGeneral:(Invalid arguments|Permission denied|Unknown method)/.test(error)) return 'refused';
  return 'unknown';
}
