/** Requests to servers of others: one each, to the given address and no other, bounded in time and size. */

/**
 * What is known of a request that has no whole answer. `notSent`: there was no connection yet, so nothing has arrived. `late`: the time was up.
 * `tooLarge`: the answer was. `lost`: anything else on the way. After all but the first it may have been carried out.
 */
export type RequestProblem = 'notSent' | 'late' | 'tooLarge' | 'lost';

export class RequestError extends Error {
  readonly problem: RequestProblem;

  constructor(problem: RequestProblem, message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RequestError';
    this.problem = problem;
  }
}

export interface OutwardRequest {
  method?: string;
  headers?: Readonly<Record<string, string>>;
  body?: string | null;
  /** For the whole answer. */
  timeoutMs: number;
  /** Of the answer's body. */
  maxBytes: number;
}

export interface OutwardAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
}

/** Redirects are answers: another address would receive what is meant for this one, keys included. @throws RequestError */
export async function request(
  address: URL | string,
  { method = 'GET', headers = {}, body = null, timeoutMs, maxBytes }: OutwardRequest,
): Promise<OutwardAnswer> {
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await fetch(address, { method, headers, body, redirect: 'manual', signal });
    return { status: response.status, headers: response.headers, bytes: await bytesOf(response, maxBytes) };
  } catch (error) {
    if (error instanceof RequestError) throw error;
    throw new RequestError(signal.aborted ? 'late' : isUnsent(error) ? 'notSent' : 'lost', wordsOf(error), {
      cause: error,
    });
  }
}

async function bytesOf(response: Response, maxBytes: number): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the rest.
    if (size > maxBytes) throw new RequestError('tooLarge', `the answer has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** What fails before there is a connection. */
const unsent = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
]);

function isUnsent(error: unknown): boolean {
  const { code } = (error instanceof Error ? (error.cause ?? error) : {}) as { code?: unknown };
  return typeof code === 'string' && unsent.has(code);
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.message}${cause}`.slice(0, 500);
}
