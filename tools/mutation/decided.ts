import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What runs have decided, one file a group in `decided/`, kept in the repository: a group takes hours, and a run goes on where one on another machine
 * ended. A kill holds as long as the mutated file and the test that killed it are the same, a survivor as long as all tests of its group are.
 */

/** Of a mutant: the test file that killed it; that it survived; that no test reaches it; or nothing yet. */
export type Decision = { killedBy: string } | 'survived' | 'unreached' | 'open';

interface Kept {
  /** Test files with the hashes of their contents. */
  tests: [file: string, hash: string][];
  /** By mutated file: its hash, and for each of its mutants, in the instrumenter's order, a sign. */
  files: Record<string, { source: string; mutants: string }>;
}

/** `a` and so on: killed by the test file of that place in the list. */
const firstTest = 'a'.charCodeAt(0);
const signs = { survived: '~', unreached: '-', open: '.' } as const;

const pathOf = (group: string) => join(import.meta.dirname, 'decided', `${group}.json`);
export const hashOfText = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

/** @returns for each file whose source is the same the decisions that still hold, in the order of its mutants */
export function readDecided(
  group: string,
  sources: ReadonlyMap<string, string>,
  tests: ReadonlyMap<string, string>,
): Map<string, Decision[]> {
  const kept = read(group);
  const isSame = ([file, hash]: [string, string]) => tests.get(file) === hash;
  const all = kept.tests.length === tests.size && kept.tests.every(isSame);
  const decisions = new Map<string, Decision[]>();
  for (const [file, { source, mutants }] of Object.entries(kept.files)) {
    if (hashOfText(sources.get(file) ?? '') !== source) continue;
    decisions.set(
      file,
      [...mutants].map((sign): Decision => {
        if (sign === signs.survived) return all ? 'survived' : 'open';
        if (sign === signs.unreached) return all ? 'unreached' : 'open';
        const by = kept.tests[sign.charCodeAt(0) - firstTest];
        return sign !== signs.open && by && isSame(by) ? { killedBy: by[0] } : 'open';
      }),
    );
  }
  return decisions;
}

/** Keeps the decisions of these files, and those of the group's other files as far as they still hold. */
export function keepDecided(
  group: string,
  sources: ReadonlyMap<string, string>,
  tests: ReadonlyMap<string, string>,
  decided: ReadonlyMap<string, readonly Decision[]>,
): void {
  const before = read(group);
  const places = [...tests.keys()];
  const signOf = (decision: Decision) =>
    typeof decision === 'string' ? signs[decision] : String.fromCharCode(firstTest + places.indexOf(decision.killedBy));
  const now = Object.fromEntries(
    [...decided].map(([file, mutants]) => [
      file,
      { source: hashOfText(sources.get(file) ?? ''), mutants: mutants.map(signOf).join('') },
    ]),
  );
  // Signs of files that this run leaves out point into the list of tests, which has to be the same for them.
  const isSame = JSON.stringify(before.tests) === JSON.stringify([...tests]);
  const kept: Kept = { tests: [...tests], files: { ...(isSame ? before.files : {}), ...now } };
  mkdirSync(join(import.meta.dirname, 'decided'), { recursive: true });
  writeFileSync(pathOf(group), `${JSON.stringify(kept, null, 2)}\n`);
}

function read(group: string): Kept {
  return existsSync(pathOf(group))
    ? (JSON.parse(readFileSync(pathOf(group), 'utf8')) as Kept)
    : { tests: [], files: {} };
}
