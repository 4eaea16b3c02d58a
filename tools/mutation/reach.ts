import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { reasonOf, run } from './cases.ts';
import { hashOfText } from './decided.ts';
import { group, only, root, sources } from './mutants.ts';
import type { Hits, Reached } from './warm-runner.ts';
import type { Repeatable } from './worlds.ts';

/** Which mutants the tests of a group reach, and which of these tests can be run again and again in one world. */

export interface ReachedInFile {
  inHooks: Hits;
  /** What tests reach that a second run does not show: tests that run only once in a world, and mutants that a test reaches only the first time. */
  once: Record<string, Hits>;
  repeatable: Record<string, Repeatable>;
  /** How many places of the files that are mutated the file passes. */
  steps: number;
}

export type ReachedByFile = Map<string, ReachedInFile>;

const mostTries = 4;

/** Of the last run with `--incremental`: what a test file reaches holds as long as it and the mutated files are the same. */
const keptFile = join(root, `.cache/mutation-reached/${group.name}.json`);
const keyOf = (test: string) =>
  hashOfText(JSON.stringify([only, [...sources], readFileSync(join(root, test), 'utf8')]));

function readKept(tests: readonly string[]): ReachedByFile {
  if (!process.env['MUTATION_INCREMENTAL'] || !existsSync(keptFile)) return new Map();
  const kept = JSON.parse(readFileSync(keptFile, 'utf8')) as Record<string, ReachedInFile>;
  return new Map(
    tests.flatMap((test) => {
      const known = kept[keyOf(test)];
      return known ? [[test, known]] : [];
    }),
  );
}

/** Runs all tests without a mutant. One that fails is said, and not used: it would kill everything. */
export async function findReached(tests: readonly string[]): Promise<ReachedByFile> {
  const found = readKept(tests);
  const once = new Map(tests.map((test) => [test, new Set<string>()]));
  let open = tests.filter((test) => !found.has(test));
  for (let tries = 1; open.length > 0 && tries <= mostTries; tries += 1) {
    const again: string[] = [];
    const files = open;
    const cases = files.map((test) => ({ test, one: { kind: 'reach' as const, once: [...(once.get(test) ?? [])] } }));
    await run(cases, (module, index) => {
      const test = files[index] ?? '';
      const reached = module.meta().reached ?? { inHooks: {}, tests: {} };
      const own = once.get(test) ?? new Set();
      const before = own.size;
      for (const [name, runs] of Object.entries(reached.tests))
        if (runs[0]?.isPassed && runs.slice(1).some(({ isPassed }) => !isPassed)) own.add(name);
      const isFailed = module.state() !== 'passed';
      console.log(`${test}: ${module.state()} in ${Math.round(module.diagnostic().duration)} ms`);
      // A test that cannot be run again may keep those after it from passing.
      if (isFailed && own.size > before && tries < mostTries) again.push(test);
      else if (isFailed) console.error(`Fails without any mutant: ${reasonOf(module)}`);
      found.set(test, summaryOf(reached, own));
    });
    open = again;
    mkdirSync(dirname(keptFile), { recursive: true });
    writeFileSync(keptFile, JSON.stringify(Object.fromEntries([...found].map(([test, own]) => [keyOf(test), own]))));
  }
  return found;
}

function summaryOf({ inHooks, tests }: Reached, notAgain: ReadonlySet<string>): ReachedInFile {
  const once: Record<string, Hits> = {};
  const repeatable: Record<string, Repeatable> = {};
  let steps = sumOf(inHooks);
  for (const [name, runs] of Object.entries(tests)) {
    const [first, ...more] = runs;
    if (!first?.isPassed) continue;
    steps += sumOf(first.hits);
    if (more.length === 0 || notAgain.has(name)) {
      once[name] = first.hits;
      continue;
    }
    const inEach = Object.entries(first.hits).filter(([id]) => more.every(({ hits }) => hits[id] !== undefined));
    const hits = Object.fromEntries(inEach);
    const onlyFirst = Object.entries(first.hits).filter(([id]) => hits[id] === undefined);
    if (onlyFirst.length > 0) once[name] = Object.fromEntries(onlyFirst);
    repeatable[name] = { ms: Math.max(...runs.map(({ ms }) => ms)), hits, steps: sumOf(first.hits) };
  }
  return { inHooks, once, repeatable, steps };
}

const sumOf = (hits: Hits) => Object.values(hits).reduce((sum, count) => sum + count, 0);
