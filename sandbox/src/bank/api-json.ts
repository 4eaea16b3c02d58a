import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { bodyOf } from '../http-service.ts';
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

export const INTERNAL_ERROR = { code: 'internal_error', message: 'Something went wrong.' };

/** The answer of a request that was refused. Rethrows what is no refusal. */
export function refusalIn(error: unknown): { status: number; body: Json } {
  if (!(error instanceof ApiError)) throw error;
  const { status, code, message, source } = error;
  return { status, body: { code, message, ...(source === undefined ? {} : { source }) } };
}

const LARGEST_BODY = 1_000_000;

/** The JSON object that a request carries; one without a body carries an empty one. @throws ApiError */
export async function objectIn(request: IncomingMessage): Promise<Json> {
  const text = await bodyOf(request, LARGEST_BODY);
  if (text === null) throw new ApiError(413, 'request_too_large', 'The body is too large.');
  if (text === '') return {};
  try {
    const body: unknown = JSON.parse(text);
    if (isObject(body)) return body;
  } catch {
    // Said below, as for JSON that is no object.
  }
  throw new ApiError(400, 'malformed_json', 'The body is no JSON object.');
}

/** Compares secrets without telling by its time where they differ. */
export function isSame(given: string, expected: string): boolean {
  const [a, b] = [given, expected].map((value) => createHash('sha256').update(value).digest());
  return a !== undefined && b !== undefined && timingSafeEqual(a, b);
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
