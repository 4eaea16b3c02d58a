/** The vendor's errors, amounts and times, and reading of its request bodies. */

export type Json = Record<string, unknown>;

/** A refusal in the vendor's form: `{ code, message, source }` with its HTTP status. */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly source: string | undefined;

  constructor(status: number, code: string, message: string, source?: string) {
    super(message);
    this.name = 'ApiError';
    this.status = status;
    this.code = code;
    this.source = source;
  }
}

/** `2025-07-09T15:41:50+0000` */
export function timeOf(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 19)}+0000`;
}

/** Amounts are JSON numbers there. One that a double cannot hold exactly is refused rather than rounded. @throws ApiError */
export function jsonAmount(text: string): number {
  const plain = text.includes('.') ? text.replace(/\.?0+$/, '') : text;
  const value = Number(plain);
  if (String(value) !== plain)
    throw new ApiError(400, 'amount_above_limit', `The amount ${text} is too large.`, 'amount');
  return value;
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** @throws ApiError */
export function objectAt(body: Json, name: string): Json {
  const value = body[name];
  if (!isObject(value)) throw new ApiError(400, 'field_required', `${name} must be an object.`, name);
  return value;
}

/** A text of at most `most` characters; without a fallback it is required. @throws ApiError */
export function text(body: Json, name: string, most: number, fallback?: string): string {
  const value = body[name];
  if (value === undefined || value === null || value === '') {
    if (fallback !== undefined) return fallback;
    throw new ApiError(400, 'field_required', `${name} must be provided.`, name);
  }
  if (typeof value !== 'string' || [...value].length > most)
    throw new ApiError(400, 'invalid_argument', `${name} must be a text of at most ${most} characters.`, name);
  return value;
}
