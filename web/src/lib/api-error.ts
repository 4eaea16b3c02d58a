import type { Failure } from '@causeway/contract/call.ts';

/** What the web app itself can find wrong with an exchange, beside the keys of the contract's error catalogue. */
type LocalErrorKey = 'network' | 'malformed';

interface Details {
  /** An `ErrorKey` of the contract as the server sent it, or our own. */
  key: LocalErrorKey | (string & {});
  /** HTTP status; 0 when no answer came. */
  status: number;
  code?: number;
  messages?: readonly string[];
  fields?: Readonly<Record<string, string>>;
  requestId?: string;
}

/** The one error type of every call: what the server's envelope says, or that there was none. */
export class ApiError extends Error {
  /** The stable name of the error: an `ErrorKey` of the contract or a `LocalErrorKey`. */
  readonly key: string;
  readonly status: number;
  readonly code: number;
  /** Sentences in the reader's language; empty when the server sent none. */
  readonly messages: readonly string[];
  /** Field → sentence, for the form. Nested fields are written with points. */
  readonly fields: Readonly<Record<string, string>>;
  readonly requestId: string | null;

  constructor(details: Details, options?: ErrorOptions) {
    super(details.messages?.[0] ?? details.key, options);
    this.name = 'ApiError';
    this.key = details.key;
    this.status = details.status;
    this.code = details.code ?? 0;
    this.messages = details.messages ?? [];
    this.fields = details.fields ?? {};
    this.requestId = details.requestId ?? null;
  }

  /** The service can't be reached or can't work at the moment: 503, a proxy's page in its place, or no answer at all. */
  get isOutage(): boolean {
    if (this.key === 'malformed') return this.status >= 502 && this.status <= 504;
    return this.key === 'unavailable' || this.key === 'network';
  }

  /** The server refused for good: sending the same again would be refused again. False means that the outcome is unknown. */
  get refused(): boolean {
    return (this.status >= 400 && this.status < 500) || (this.status === 200 && this.key !== 'malformed');
  }
}

/** No answer came: offline, name not found, connection cut. */
export function networkError(cause: unknown): ApiError {
  return new ApiError({ key: 'network', status: 0 }, { cause });
}

/** Reads a failed answer. Whatever is not an envelope (a proxy's page, a cut answer) becomes `malformed`. */
export function errorFrom(status: number, answer: unknown): ApiError {
  if (!isFailure(answer)) return new ApiError({ key: 'malformed', status });
  const { code, errors, key, fields, requestId } = answer;
  return new ApiError({
    key: typeof key === 'string' ? key : 'malformed',
    status,
    code,
    messages: errors.filter((message) => typeof message === 'string' && message !== ''),
    fields: fields ?? {},
    ...(typeof requestId === 'string' && { requestId }),
  });
}

type LooseFailure = Pick<Failure, 'code' | 'errors'> & Partial<Failure>;

function isFailure(answer: unknown): answer is LooseFailure {
  if (typeof answer !== 'object' || answer === null) return false;
  return 'code' in answer && typeof answer.code === 'number' && 'errors' in answer && Array.isArray(answer.errors);
}
