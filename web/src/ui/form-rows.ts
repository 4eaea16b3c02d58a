import { type ChangeEvent, useRef } from 'react';
import { newId } from '../lib/new-id.ts';
import { indexAfterMove } from './form-problems.ts';
import type { Fields, TextBinding, ValueBinding } from './form-state.ts';
import { afterPress } from './pointer.ts';

/** The fields of a form that hold rows. */
type RowsName<Values> = {
  [N in keyof Values & string]: Values[N] extends readonly object[] ? N : never;
}[keyof Values & string];
type RowOf<Values, N extends keyof Values> = Values[N] extends readonly (infer Row extends object)[] ? Row : never;

/** A list of rows in a form, and the ways each row's fields are tied to it. */
export interface Rows<Row extends object> {
  name: string;
  rows: readonly Row[];
  /** One for each row, the same wherever the row moves. */
  keys: readonly string[];
  add: (row: Row) => void;
  remove: (index: number) => void;
  move: (from: number, to: number) => void;
  /** For an input that holds text. */
  text: (index: number, field: keyof Row & string) => TextBinding;
  /** For a field that hands over a value. */
  value: <F extends keyof Row & string>(index: number, field: F) => ValueBinding<Row[F]>;
  /** What is wrong with the list as a whole. */
  error: string | undefined;
}

/** The rows of a field: what is wrong with a row stays with it when others are removed or moved. */
export function useRows<Values extends object, Output, N extends RowsName<Values>>(
  fields: Fields<Values, Output>,
  name: N,
): Rows<RowOf<Values, N>> {
  type Row = RowOf<Values, N>;
  const { parts } = fields;
  const rows = fields.values[name] as unknown as readonly Row[];
  const current = () => parts.current()[name] as unknown as readonly Row[];
  const keys = useRef<string[]>([]);
  // A reset or a draft that was kept may bring any number of rows.
  while (keys.current.length < rows.length) keys.current.push(newId());
  keys.current.length = rows.length;
  const write = (next: readonly Row[]) => fields.set(name, next as unknown as Values[N]);
  const change = (index: number, field: keyof Row & string, value: unknown) => {
    write(current().map((row, at) => (at === index ? { ...row, [field]: value } : row)));
    const path = `${name}.${index}.${field}`;
    if (parts.errorAt(path) !== undefined) parts.recheck(path);
  };
  const bind = (index: number, field: keyof Row & string) => {
    const path = `${name}.${index}.${field}`;
    return { name: path, onBlur: () => afterPress(() => parts.recheck(path)), error: parts.errorAt(path) };
  };
  return {
    name,
    rows,
    keys: keys.current,
    error: parts.ownError(name),
    add(row) {
      keys.current.push(newId());
      write([...current(), row]);
    },
    remove(index) {
      keys.current.splice(index, 1);
      parts.follow(name, (old) => (old === index ? null : old > index ? old - 1 : old));
      write(current().filter((_, at) => at !== index));
    },
    move(from, to) {
      moveWithin(keys.current, from, to);
      parts.follow(name, indexAfterMove(from, to));
      const next = [...current()];
      moveWithin(next, from, to);
      write(next);
    },
    text: (index, field) => ({
      ...bind(index, field),
      value: String(rows[index]?.[field] ?? ''),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        change(index, field, event.target.value),
    }),
    value: (index, field) => ({
      ...bind(index, field),
      value: (rows[index] as Row)[field],
      onChange: (value) => change(index, field, value),
    }),
  };
}

function moveWithin<T>(list: T[], from: number, to: number): void {
  const [moved] = list.splice(from, 1);
  if (moved !== undefined) list.splice(to, 0, moved);
}
