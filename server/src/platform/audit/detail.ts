import { isRecord } from './names.ts';

/** Reads what an event's detail says, before it is put into words. */

interface Change {
  path: string[];
  before: string | null;
  after: string | null;
}

interface Fact {
  path: string[];
  value: string;
}

/**
 * What an event's detail says: `before` and `after` side by side where they differ, everything else as facts. The pair may
 * surround the whole (`{ before: { name }, after: { name } }`) or at one field (`{ name: { before, after } }`).
 */
export function readDetail(detail: unknown): { changes: Change[]; facts: Fact[] } {
  const changes: Change[] = [];
  const facts: Fact[] = [];
  const read = (value: unknown, path: string[]): void => {
    if (isPair(value)) changes.push(...differences(value.before, value.after, path));
    if (isTree(value)) {
      for (const [name, member] of Object.entries(value)) {
        if (!(isPair(value) && (name === 'before' || name === 'after'))) read(member, [...path, name]);
      }
    } else if (!isEmpty(value)) facts.push({ path, value: plain(value) });
  };
  read(detail, []);
  return { changes, facts };
}

function differences(before: unknown, after: unknown, path: string[]): Change[] {
  const [old, now] = [flatten(before), flatten(after)];
  return [...new Set([...old.keys(), ...now.keys()])].flatMap((name) => {
    const pair = { before: old.get(name) ?? null, after: now.get(name) ?? null };
    const own = name === '' ? [] : name.split('\n');
    return pair.before === pair.after ? [] : [{ path: [...path, ...own], ...pair }];
  });
}

/** The plain values in a value by their paths, joined with line breaks; nulls and empty lists are left out. */
function flatten(value: unknown, path: readonly string[] = []): Map<string, string> {
  if (isEmpty(value)) return new Map();
  if (isTree(value)) {
    return new Map(Object.entries(value).flatMap(([name, member]) => [...flatten(member, [...path, name])]));
  }
  return new Map([[path.join('\n'), plain(value)]]);
}

/** Joins the items of a list until they are put into words. A unit separator is in no text that people type. */
export const listSeparator = '\u001f';

function plain(value: unknown): string {
  if (isShownText(value)) return 'text' in value ? value.text : value.texts.join(listSeparator);
  return Array.isArray(value) ? value.map(String).join(listSeparator) : String(value);
}

/** A value that names its texts, so that each reader gets it in their language. */
function isShownText(value: unknown): value is { text: string } | { texts: string[] } {
  if (!isRecord(value) || Object.keys(value).length !== 1) return false;
  return typeof value['text'] === 'string' || Array.isArray(value['texts']);
}

/** Whether a value has fields or items of its own. */
function isTree(value: unknown): value is object {
  return (isRecord(value) && !isShownText(value)) || (Array.isArray(value) && value.some(isNested));
}

/** Nothing to read: what an event leaves empty is left out. */
function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  return value === null || value === undefined || (typeof value === 'string' && value.trim() === '');
}

function isNested(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}

function isPair(value: unknown): value is { before?: unknown; after?: unknown } {
  return isRecord(value) && ('before' in value || 'after' in value);
}
