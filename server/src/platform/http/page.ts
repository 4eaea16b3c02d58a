import { DomainError } from '../domain-error.ts';

/** Lists are paged by keyset: the cursor holds the last row's order value and id, opaque to the client. */

const defaultPageSize = 20;

/** Totals are exact up to here; beyond it a list says "more than". */
export const maxExactTotal = 10_000;

export type CursorValue = string | number;

/** What a list is ordered by, and with that how a cursor holds it: a time is kept to the microsecond. */
export type CursorKind = 'time' | 'text' | 'number' | 'id';

const isValid: Record<CursorKind, (value: unknown) => boolean> = {
  time: (value) => typeof value === 'string' && timePattern.test(value) && isInstant(value),
  // What PostgreSQL cannot hold as text is no row's value.
  text: (value) => typeof value === 'string' && value.isWellFormed() && !value.includes('\u0000'),
  number: Number.isSafeInteger,
  id: (value) => typeof value === 'string' && idPattern.test(value),
};

/** Where a page ended: the last row's order value, and its id where the list has ties to break. */
export interface Position {
  key: CursorValue;
  id: string | null;
}

/** Reads the cursor of a list with that kind of order; null when there is none. @throws DomainError cursorInvalid */
export function readPosition(cursor: string | undefined, kind: CursorKind, hasId: boolean): Position | null {
  if (cursor === undefined) return null;
  const values = decode(cursor);
  const [key, id] = values;
  const fits = values.length === (hasId ? 2 : 1) && isValid[kind](key);
  if (!fits || (hasId && !isValid.id(id))) throw new DomainError('cursorInvalid');
  return { key: key as CursorValue, id: hasId ? (id as string) : null };
}

function encodeCursor(values: readonly CursorValue[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url');
}

function decode(cursor: string): readonly unknown[] {
  try {
    const values: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8'));
    if (Array.isArray(values)) return values;
  } catch {
    // Not JSON: refused below.
  }
  throw new DomainError('cursorInvalid');
}

/** A page from `size` + 1 rows: the extra row means that there is a next page. */
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

/** A count that stopped at `maxExactTotal + 1`, as a page of the contract holds it. */
export function totalOf(count: number): { total: number; totalExact: boolean } {
  return { total: Math.min(count, maxExactTotal), totalExact: count <= maxExactTotal };
}

const timePattern = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/;
const idPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/** Whether the database has this time: JavaScript reads 31 February as a day in March, and knows a year 0. */
function isInstant(time: string): boolean {
  const at = Date.parse(time);
  if (Number.isNaN(at) || time.startsWith('0000')) return false;
  return new Date(at).toISOString().slice(0, 19) === time.slice(0, 19);
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
  const values = decode(cursor);
  const fits = values.length === shape.length && values.every((value, i) => typeof value === shape[i]);
  if (!fits) throw new DomainError('cursorInvalid');
  return values as { -readonly [I in keyof T]: T[I] extends 'number' ? number : string };
}

/**
 * Reads a cursor of a list sorted by time and id; the time to the microsecond, as the database has it.
 * @throws DomainError cursorInvalid
 */
export function timeCursor(cursor: string | undefined): { time: string; id: string } | null {
  const position = readPosition(cursor, 'time', true);
  return position && { time: position.key as string, id: position.id ?? '' };
}
