/** The text ids that sources name: whole ones, and the beginnings of those that are put together (`status.${x}`). */
export interface Uses {
  ids: Set<string>;
  starts: Set<string>;
  /** Those that a text function was called with: they are ids beyond doubt. */
  certain: Set<string>;
}

const literal = /(['"])([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)+)\1/g;
const called = /\b(?:t|text|translate)\((?:[\w.]+,\s*)?'([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)+)'/g;
const template = /`([a-z][A-Za-z0-9]*(?:\.[A-Za-z0-9_-]+)*\.)\$\{/g;

/** Everything in quotes that has the shape of an id; whether it is one is decided by the prefixes of the catalogues. */
export function collectUses(sources: readonly string[]): Uses {
  const ids = new Set<string>();
  const starts = new Set<string>();
  const certain = new Set<string>();
  for (const source of sources) {
    for (const [, , id] of source.matchAll(literal)) if (id !== undefined) ids.add(id);
    for (const [, start] of source.matchAll(template)) if (start !== undefined) starts.add(start);
    for (const [, id] of source.matchAll(called)) if (id !== undefined) certain.add(id);
  }
  return { ids, starts, certain };
}

/** A brace that opens a blank, and not one that opens the words of a plural's branch. */
const blank = /(?<!(?:zero|one|two|few|many|other|=\d+)\s*)\{\s*([A-Za-z_]\w*)\s*[,}]/g;

/** The blanks and tags of a message, sorted, as one text to compare: `{name}`, `{count, plural, …}`, `<0>`. */
export function placeholders(message: string): string {
  const blanks = [...message.matchAll(blank)].map(([, name]) => `{${name}}`);
  const tags = [...message.matchAll(/<(\w+)\/?>/g)].map(([, name]) => `<${name}>`);
  return [...new Set([...blanks, ...tags])].sort().join(' ');
}
