import { DomainError } from './domain-error.ts';

/** Lists are paged by keyset: the cursor holds the last row's sort values, opaque to the client. */

const defaultPageSize = 20;

/** Totals are exact up to here; beyond it a list says "more than". */
export const maxExactTotal = 10_000;

export type CursorValue = string | number;

function encodeCursor(values: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

/**
 * Reads a cursor whose values must have these types, in order; null when there is none.
 * @throws DomainError cursorInvalid
 */
export function decodeCursor<const T extends readonly ('string' | 'number')[]>(
  cursor: string | undefined,
  shape: T,
): { -readonly [I in keyof T]: T[I] extends 'number' ? number : string } | null {
  if (cursor === undefined) return null;
  let values: unknown;
  try {
    values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
  } catch {
    throw new DomainError('cursorInvalid');
  }
  const fits =
    Array.isArray(values) && values.length === shape.length && values.every((value, i) => typeof value === shape[i]);
  if (!fits) throw new DomainError('cursorInvalid');
  return values as { -readonly [I in keyof T]: T[I] extends 'number' ? number : string };
}

/** A page from one row more than was asked for: the row too many says that there is a next page. */
export function pageOf<T>(
  rows: readonly T[],
  size: number,
  cursorOf: (row: T) => readonly CursorValue[],
): { items: T[]; next: string | null } {
  const items = rows.slice(0, size);
  const last = items.at(-1);
  return { items, next: rows.length > size && last !== undefined ? encodeCursor(cursorOf(last)) : null };
}

export function sizeOf(size: string | undefined): number {
  return size === undefined ? defaultPageSize : Number(size);
}

/** A count that stopped at `maxExactTotal + 1`, as the answer gives it. */
export function totalOf(count: number): { total: number; totalExact: boolean } {
  return { total: Math.min(count, maxExactTotal), totalExact: count <= maxExactTotal };
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Reads a cursor of a list sorted by a text and id.
 * @throws DomainError cursorInvalid
 */
export function keyCursor(cursor: string | undefined): { key: string; id: string } | null {
  const values = decodeCursor(cursor, ['string', 'string']);
  if (values === null) return null;
  const [key, id] = values;
  // What PostgreSQL cannot hold as text was never the key of a row.
  if (!idPattern.test(id) || !key.isWellFormed() || key.includes('\u0000')) throw new DomainError('cursorInvalid');
  return { key, id };
}

/**
 * Reads a cursor of a list sorted by time and id; the time to the microsecond, as the database has it.
 * @throws DomainError cursorInvalid
 */
export function timeCursor(cursor: string | undefined): { time: string; id: string } | null {
  const values = decodeCursor(cursor, ['string', 'string']);
  if (values === null) return null;
  const [time, id] = values;
  if (!timePattern.test(time) || !isInstant(time) || !idPattern.test(id)) throw new DomainError('cursorInvalid');
  return { time, id };
}

/** Whether the database has this time: JavaScript reads 31 February as a day in March, and knows a year 0. */
function isInstant(time: string): boolean {
  const at = Date.parse(time);
  if (Number.isNaN(at) || time.startsWith('0000')) return false;
  return new Date(at).toISOString().slice(0, 19) === time.slice(0, 19);
}
