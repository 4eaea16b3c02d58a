import { globSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import type { Place } from './explained.ts';
import { groupOfProcess, withoutBraces } from './groups.ts';

/** The mutants of a group, and the code that has them all, each of them to be switched on. */

export const root = join(import.meta.dirname, '../..');
const given = groupOfProcess();
export const onlyTests = process.env['MUTATION_TESTS'] || '';
export const group = onlyTests === '' ? given : { ...given, tests: onlyTests.split(',') };
export const only = process.env['MUTATION_ONLY'] || '';

export type Status = 'Pending' | 'Killed' | 'Survived' | 'NoCoverage' | 'Ignored';

export interface Mutant {
  id: string;
  file: string;
  replacement: string;
  location: { start: Place; end: Place };
  status: Status;
  killedBy?: string;
  statusReason?: string;
}

/** By file. */
export const sources = new Map<string, string>();
export const instrumented = new Map<string, string>();

/** The files that the group or `--only` names, with the lines of each; `true`: all lines. */
function filesToMutate(): { file: string; mutate: true | { start: Place; end: Place }[] }[] {
  const globs = only === '' ? group.mutate : only.split(',');
  const chosen = new Map<string, true | { start: Place; end: Place }[]>();
  for (const glob of globs.filter((each) => !each.startsWith('!'))) {
    const [, path = glob, from, to] = /^(.*?)(?::(\d+)-(\d+))?$/.exec(glob) ?? [];
    for (const file of globSync(path, { cwd: root }).filter((name) => !name.endsWith('.test.ts'))) {
      const before = chosen.get(file);
      if (from === undefined || before === true) chosen.set(file, true);
      else {
        const lines = { start: { line: Number(from) - 1, column: 0 }, end: { line: Number(to), column: 0 } };
        chosen.set(file, [...(before ?? []), lines]);
      }
    }
  }
  return [...chosen].map(([file, mutate]) => ({ file, mutate })).sort((a, b) => (a.file < b.file ? -1 : 1));
}

export async function instrument(): Promise<Mutant[]> {
  const files = filesToMutate();
  for (const { file } of files) sources.set(file, readFileSync(join(root, file), 'utf8'));
  const quiet = () => undefined;
  const logger = { isDebugEnabled: () => false, debug: quiet, info: quiet, warn: console.warn, error: console.error };
  const instrumenter = new Instrumenter(logger as unknown as ConstructorParameters<typeof Instrumenter>[0]);
  const result = await instrumenter.instrument(
    files.map(({ file, mutate }) => ({ name: join(root, file), mutate, content: sources.get(file) ?? '' })),
    // Texts of errors and of logs are not behaviour; those of refusals are held by types.
    { plugins: null, ignorers: [], excludedMutations: ['StringLiteral'] },
  );
  for (const { name, content } of result.files) instrumented.set(name, countingSteps(content));
  const place = ({ line, column }: Place) => ({ line: line + 1, column: column + 1 });
  return result.mutants
    .filter(({ status }) => status !== 'Ignored')
    .map(({ id, fileName, replacement, location: { start, end } }) => ({
      id,
      file: relative(root, fileName),
      replacement: replacement ?? '',
      location: { start: place(start), end: place(end) },
      status: 'Pending',
    }));
}

/**
 * Stryker counts how often the mutant's own place is reached. A mutant outside of a loop can make the loop endless, too, which no time-out
 * of a test ends: every place that is passed counts as a step.
 */
function countingSteps(content: string): string {
  const head = 'function isActive(id) {';
  if (!content.includes(head)) throw new Error('The instrumenter writes another head than the one that counts steps');
  const count = "if (++ns.stepCount > ns.stepLimit) throw new Error('Endless: ' + ns.stepCount + ' steps');";
  return content.replace(head, `${head} ${count}`);
}

/** The test files of the group, in the order in which it names them: quick ones first. */
export function testFiles(): string[] {
  return [...new Set(group.tests.flatMap(withoutBraces).flatMap((glob) => globSync(glob, { cwd: root }).sort()))];
}
