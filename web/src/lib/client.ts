import type { Body, Call, Output, Params, Query } from '@causeway/contract/call.ts';
import { ApiError, errorFrom, networkError } from './api-error.ts';
import type { LightCall } from './light-call.ts';
import { currentLocale } from './locale.tsx';
import { reportLapse } from './report-error.ts';
import { noteOutage } from './service-state.ts';
import { sessionToken } from './session.ts';

/** Where the server is; empty when it serves the web app itself. */
const baseUrl: string = import.meta.env['VITE_API_BASE'] ?? '';

type Part<Name extends string, Value> = [Value] extends [undefined]
  ? { [K in Name]?: undefined }
  : Record<string, never> extends Value
    ? { [K in Name]?: Value }
    : { [K in Name]: Value };

/** What a call is sent with: exactly the parts that its contract declares; a part that may be empty may be left out. */
export type Input<C extends Call> = Part<'params', Params<C>> & Part<'query', Query<C>> & Part<'body', Body<C>>;

export interface SendOptions {
  signal?: AbortSignal;
  /** For calls that move money: one key for one intent, kept when the same is sent again. */
  idempotencyKey?: string;
  headers?: Record<string, string>;
  /** Sends and keeps the server's cookies: for the calls of sign-in alone, which know the browser by one. */
  cookies?: boolean;
}

interface LooseInput {
  params?: Record<string, unknown> | undefined;
  query?: Record<string, unknown> | undefined;
  body?: unknown;
}

/** Sends a call and returns the envelope's data, checked against the contract. Throws `ApiError`, nothing else. */
export async function send<C extends Call>(
  call: LightCall<C>,
  input: Input<C>,
  options: SendOptions = {},
): Promise<Output<C>> {
  fetchSchemas();
  const token = sessionToken();
  try {
    const response = await request(call, input, options);
    return await readAnswer(call, { token, status: response.status, answer: await jsonOf(response) });
  } catch (error) {
    if (error instanceof ApiError && error.isOutage) noteOutage();
    throw error;
  }
}

/** What came back, and the token that the request was sent with. */
export interface Answered {
  token: string | null;
  status: number;
  /** The body read as JSON; null where it is none. */
  answer: unknown;
}

/** The data of an answered envelope, checked against the contract. Throws `ApiError` for every other answer. */
export async function readAnswer<C extends Call>(call: LightCall<C>, answered: Answered): Promise<Output<C>> {
  const { status, answer } = answered;
  if (status < 200 || status > 299 || codeOf(answer) !== 0) throw failureOf(answered);
  const checkAnswer = await loadCheck();
  try {
    return checkAnswer(call, (answer as { data?: unknown }).data) as Output<C>;
  } catch (cause) {
    throw new ApiError({ key: 'malformed', status }, { cause });
  }
}

/** The error of an answer that is none. A 401 ends the session of its request, and that is reported here. */
export function failureOf({ token, status, answer }: Answered): ApiError {
  const error = errorFrom(status, answer);
  if (status === 401 && token !== null) reportLapse(error, token);
  return error;
}

/** The body as JSON; null where it is none. */
export function jsonOf(response: Response): Promise<unknown> {
  return response.json().catch(() => null);
}

/** The bare exchange: address, headers and body from the contract. Throws only when no answer came. */
export async function request(call: LightCall, input: LooseInput, options: SendOptions): Promise<Response> {
  const headers = headersOf(options);
  const body = jsonBody(input.body, headers);
  try {
    return await fetch(address(call, input), {
      method: call.method,
      headers,
      credentials: options.cookies === true ? 'same-origin' : 'omit',
      cache: 'no-store',
      ...(body !== undefined && { body }),
      ...(options.signal && { signal: options.signal }),
    });
  } catch (cause) {
    if (options.signal?.aborted) throw cause;
    throw networkError(cause);
  }
}

/** What every request says of its sender: language and session. */
export function headersOf(options: SendOptions = {}): Headers {
  const headers = new Headers(options.headers);
  headers.set('accept-language', currentLocale());
  const token = sessionToken();
  if (token !== null) headers.set('authorization', `Bearer ${token}`);
  if (options.idempotencyKey !== undefined) headers.set('idempotency-key', options.idempotencyKey);
  return headers;
}

function jsonBody(body: unknown, headers: Headers): string | undefined {
  if (body === undefined) return undefined;
  headers.set('content-type', 'application/json');
  return JSON.stringify(body);
}

/** The call's address with its parameters filled in; undefined and empty query values are left out. */
export function address(call: LightCall, input: LooseInput): string {
  const path = call.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(input.params?.[name])));
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(input.query ?? {})) {
    if (value !== undefined && value !== '') query.set(name, String(value));
  }
  const search = query.toString();
  return `${baseUrl}${path}${search && `?${search}`}`;
}

/** Lets the schemas come while there is still something else to do; whether they came, the first answer finds out. */
export function fetchSchemas(): void {
  void loadCheck().catch(() => undefined);
}

type Check = typeof import('./check-answer.ts').checkAnswer;

let check: Promise<Check> | null = null;

/**
 * The contract's schemas, fetched once beside the first request, and again after a failure. Without them nothing can be said
 * about an answer: it is as if none had come.
 */
function loadCheck(): Promise<Check> {
  check ??= import('./check-answer.ts').then(
    ({ checkAnswer }) => checkAnswer,
    (cause: unknown) => {
      check = null;
      throw networkError(cause);
    },
  );
  return check;
}

function codeOf(answer: unknown): unknown {
  return typeof answer === 'object' && answer !== null && 'code' in answer ? answer.code : undefined;
}
