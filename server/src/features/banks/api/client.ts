import { readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import * as z from 'zod';
import type { HttpConnection } from '../../../platform/config/bank-connections.ts';
import { RequestError, request } from '../../../platform/http/request.ts';
import { parseExactly } from './exact-json.ts';

/** Airwallex's public HTTP API, of this version. Numbers in its answers are texts here (`exact-json.ts`). */
const version = '2025-06-30';
const largestAnswerBytes = 16 * 1024 * 1024;
/** A token is renewed this long before it ends. */
const renewBeforeMs = 60_000;
const tries = 3;
const pauseMs = 250;

/**
 * What is known of a request that failed. notSent: the bank has not carried it out and it may be sent again. refused: the bank says that it
 * does not carry it out, and why. unknown: it may have been carried out; the bank has to be asked.
 */
export type BankApiOutcome = 'notSent' | 'refused' | 'unknown';

export class BankApiError extends Error {
  readonly outcome: BankApiOutcome;
  /** Null where there was no whole answer. */
  readonly status: number | null;
  /** The bank's own code of the refusal, as `invalid_argument`, and the field that it is about. */
  readonly code: string | null;
  readonly source: string | null;
  /** Our key was refused: nothing works until that is put right. */
  readonly isSignIn: boolean;

  constructor(
    outcome: BankApiOutcome,
    message: string,
    {
      status = null,
      code = null,
      source = null,
      isSignIn = false,
    }: { status?: number | null; code?: string | null; source?: string | null; isSignIn?: boolean } = {},
  ) {
    super(message);
    this.name = 'BankApiError';
    this.outcome = outcome;
    this.status = status;
    this.code = code;
    this.source = source;
    this.isSignIn = isSignIn;
  }
}

export interface BankApi {
  /** Reads, and repeats it where that may help. @throws BankApiError */
  get<T>(path: string, answer: z.ZodType<T>, query?: Readonly<Record<string, string>>): Promise<T>;
  /** Changes something at the bank; never repeated here. A text is sent as it is. @throws BankApiError */
  post<T>(path: string, answer: z.ZodType<T>, body: unknown): Promise<T>;
}

const login = z.object({ token: z.string().min(1), expires_at: z.string() });
const refusal = z.object({ code: z.string(), message: z.string().default(''), source: z.string().nullish() });

/** What of a connection the client needs. */
type ApiConnection = Pick<HttpConnection, 'url' | 'clientId' | 'apiKeyFile' | 'timeoutMs'> & Partial<HttpConnection>;

export function createBankApi(connection: ApiConnection): BankApi {
  let token: { text: string; until: number } | null = null;
  let signingIn: Promise<string> | null = null;

  async function signIn(): Promise<string> {
    const key = await readFile(connection.apiKeyFile, 'utf8').catch((error: NodeJS.ErrnoException) => {
      throw new BankApiError('notSent', `our key cannot be read: ${error.code}`, { isSignIn: true });
    });
    const headers = { 'x-client-id': connection.clientId, 'x-api-key': key.trim(), 'x-api-version': version };
    const answer = await send(connection, 'POST', '/api/v1/authentication/login', headers, null).catch(asNotSent);
    const { token: text, expires_at: until } = readAnswer(answer, login);
    token = { text, until: timeOf(until).getTime() - renewBeforeMs };
    return text;
  }

  /** Requests at the same time sign in once. */
  async function currentToken(): Promise<string> {
    if (token !== null && Date.now() < token.until) return token.text;
    signingIn ??= signIn().finally(() => {
      signingIn = null;
    });
    return signingIn;
  }

  async function call<T>(method: 'GET' | 'POST', path: string, answer: z.ZodType<T>, body: string | null): Promise<T> {
    for (let isAgain = false; ; isAgain = true) {
      const text = await currentToken();
      const headers = { authorization: `Bearer ${text}`, 'x-api-version': version };
      const given = await send(connection, method, path, headers, body);
      // The token ended early: the bank has carried nothing out.
      if (given.status === 401 && !isAgain) {
        if (token?.text === text) token = null;
        continue;
      }
      return readAnswer(given, answer);
    }
  }

  return {
    async get(path, answer, query = {}) {
      const asked = Object.keys(query).length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await call('GET', asked, answer, null);
        } catch (error) {
          const isWorthIt = error instanceof BankApiError && !error.isSignIn && error.outcome !== 'refused';
          if (!isWorthIt || attempt === tries) throw error;
        }
        await wait(pauseMs * attempt);
      }
    },
    post: (path, answer, body) => call('POST', path, answer, typeof body === 'string' ? body : JSON.stringify(body)),
  };
}

interface Answer {
  status: number;
  text: string;
}

async function send(
  { url, timeoutMs }: ApiConnection,
  method: string,
  path: string,
  headers: Record<string, string>,
  body: string | null,
): Promise<Answer> {
  const content = body === null ? {} : { 'content-type': 'application/json' };
  try {
    const { status, bytes } = await request(new URL(path, url), {
      method,
      body,
      headers: { accept: 'application/json', ...content, ...headers },
      timeoutMs,
      maxBytes: largestAnswerBytes,
    });
    return { status, text: bytes.toString('utf8') };
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    throw new BankApiError(error.problem === 'notSent' ? 'notSent' : 'unknown', error.message);
  }
}

function readAnswer<T>({ status, text }: Answer, shape: z.ZodType<T>): T {
  if (status >= 200 && status < 300) {
    const read = shape.safeParse(jsonOf(text));
    if (read.success) return read.data;
    const [issue] = read.error.issues;
    throw new BankApiError('unknown', `an answer of another form: ${issue?.path.join('.')} ${issue?.message}`, {
      status,
    });
  }
  const said = refusal.safeParse(jsonOf(text));
  const { code, message, source = null } = said.success ? said.data : { code: null, message: `status ${status}` };
  const more = { status, code, source };
  const words = code === null ? message : `${code}: ${message}`.slice(0, 500);
  if (status === 401) throw new BankApiError('notSent', words, { ...more, isSignIn: true });
  if (status === 429) throw new BankApiError('notSent', words, more);
  // A refusal is believed in the bank's own form alone: any other may be of a proxy that has passed the request on.
  const isRefused = status >= 400 && status < 500 && status !== 408 && said.success;
  throw new BankApiError(isRefused ? 'refused' : 'unknown', words, more);
}

function jsonOf(text: string): unknown {
  try {
    return parseExactly(text);
  } catch {
    return undefined;
  }
}

/** Signing in moves nothing: it may always be tried again. */
function asNotSent(error: unknown): never {
  if (error instanceof BankApiError) throw new BankApiError('notSent', error.message);
  throw error;
}

/** The API's times: `2025-07-09T15:41:50+0000`. @throws BankApiError */
export function timeOf(text: string): Date {
  const time = new Date(text.replace(/([+-]\d{2})(\d{2})$/, '$1:$2'));
  if (Number.isNaN(time.getTime())) throw new BankApiError('unknown', `${text} is not a time`);
  return time;
}
