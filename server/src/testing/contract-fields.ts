import type { Call } from '@causeway/contract/call.ts';
import type * as z from 'zod/mini';

/** One place in a call's input where the contract's schema has a text, e.g. `body.attachmentIds.0`. */
export interface TextField {
  path: string;
  /** A UUID. */
  isId: boolean;
}

/** Every text field of a call's input; of a union, each option's. */
export function textFields(call: Call): TextField[] {
  const all = [...fieldsIn(call.params, 'params'), ...fieldsIn(call.query, 'query'), ...fieldsIn(call.body, 'body')];
  return [...new Map(all.map((field) => [field.path, field])).values()];
}

function fieldsIn(schema: z.core.$ZodType | undefined, path: string): TextField[] {
  const def = (schema as z.core.$ZodTypes | undefined)?._zod.def;
  switch (def?.type) {
    case 'string':
      return [{ path, isId: 'format' in def && def.format === 'uuid' }];
    case 'enum':
    case 'literal':
      return [{ path, isId: false }];
    case 'object':
      return Object.entries(def.shape).flatMap(([name, field]) => fieldsIn(field, `${path}.${name}`));
    case 'optional':
    case 'nullable':
      return fieldsIn(def.innerType, path);
    case 'array':
      return fieldsIn(def.element, `${path}.0`);
    case 'union':
      return def.options.flatMap((option) => fieldsIn(option, path));
    default:
      return [];
  }
}

/** The same input with another value at a path; what is missing on the way is made. */
export function withValue<T extends object>(input: T, path: string, value: unknown): T {
  const [name = '', ...rest] = path.split('.');
  if (Array.isArray(input)) {
    return input.map((item, i) => (String(i) === name ? next(item, rest, value) : item)) as unknown as T;
  }
  return { ...input, [name]: next((input as Record<string, unknown>)[name], rest, value) };
}

function next(node: unknown, rest: readonly string[], value: unknown): unknown {
  if (rest.length === 0) return value;
  const inner = typeof node === 'object' && node !== null ? node : {};
  return withValue(inner, rest.join('.'), value);
}

export function valueAt(input: object, path: string): unknown {
  return path.split('.').reduce<unknown>((node, name) => (node as Record<string, unknown> | undefined)?.[name], input);
}
