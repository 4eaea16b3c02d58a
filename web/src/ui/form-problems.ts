/** What is wrong with a field: a text id from the rules, or a sentence that the server sent. */
export interface Problem {
  text: string;
  fromServer: boolean;
}

/** What is wrong in a form, by path: `name`, `nodes`, `nodes.1.needed`. */
export type Problems = Readonly<Record<string, Problem>>;

/** The problem of a field, or the first of what is in it. */
export function problemAt(problems: Problems, path: string): Problem | undefined {
  return problems[path] ?? Object.values(within(problems, path))[0];
}

/** The problems of a field and of what is in it. */
export function within(problems: Problems, path: string): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([at]) => isIn(at, path)));
}

/** The problems of everything else. */
export function outside(problems: Problems, path: string): Problems {
  return Object.fromEntries(Object.entries(problems).filter(([at]) => !isIn(at, path)));
}

/** The problems after rows of a field have moved: each stays with its row, those of a row that is gone (null) go with it. */
export function follow(problems: Problems, name: string, indexOf: (old: number) => number | null): Problems {
  const entries = Object.entries(problems).flatMap(([at, problem]): [string, Problem][] => {
    const [, index, rest = ''] = new RegExp(`^${name}\\.(\\d+)(\\..*)?$`).exec(at) ?? [];
    if (index === undefined) return [[at, problem]];
    const next = indexOf(Number(index));
    return next === null ? [] : [[`${name}.${next}${rest}`, problem]];
  });
  return Object.fromEntries(entries);
}

/** Where a row is after the one at `from` was put at `to`. */
export function indexAfterMove(from: number, to: number): (old: number) => number {
  return (old) => {
    if (old === from) return to;
    if (from < old && old <= to) return old - 1;
    return to <= old && old < from ? old + 1 : old;
  };
}

/** A path of the server's input in a form's values, which may be a part of that input: `rule.nodes.0` is `nodes.0`. */
export function pathIn(values: object, path: string): string {
  const parts = path.split('.');
  const start = parts.findIndex((part) => part in values);
  return start < 0 ? path : parts.slice(start).join('.');
}

function isIn(at: string, path: string): boolean {
  return at === path || at.startsWith(`${path}.`);
}
