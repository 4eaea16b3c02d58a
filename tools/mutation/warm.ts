import { rmSync } from 'node:fs';
import { type CaseFile, end, isOpen, reasonOf, run, state, takesShard, workers } from './cases.ts';
import { onOneLine } from './explained.ts';
import { group, instrument, type Mutant, onlyTests, testFiles } from './mutants.ts';
import { findReached, type ReachedByFile, type ReachedInFile } from './reach.ts';
import { takeOver, writeReport } from './report.ts';
import { type Plan, readOutcomes, removeLocks, Shard, writePlans } from './worlds.ts';

/**
 * Tries the mutants of one group with Stryker's instrumentation, but in processes that have the product loaded already, and in worlds that many mutants
 * share (turn.ts): a mutant is switched on, a test runs, the next mutant follows. What a shared world cannot show is tried in a world of its own:
 * mutants that hooks reach, and tests that run only once in a world. Started by run.ts; writes the same report as Stryker.
 * The report and `decided/` are written as they grow: an interrupted run leaves what it has decided, and `--incremental` goes on with the rest, on another
 * machine by `decided/` alone.
 */

/** So often may each part of a test file begin with a new world before vitest starts again. */
const worldsPerRun = 8;
/** So many mutants in a row may a test let through before others are tried, which may be quicker to notice the rest. */
const mostInVain = 30;
/** So often does vitest start again. */
const mostRuns = 12;
/** After so many cases one runs without a mutant: if it fails, a mutant left something behind. */
const controlEvery = 20;

const mutants = await instrument();
const tests = testFiles();
const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
const begun = Date.now();
const seconds = () => Math.round((Date.now() - begun) / 1000);
const isPending = ({ status }: Mutant) => status === 'Pending';
takeOver(mutants);
console.log(`${group.name}: ${mutants.filter(isPending).length} of ${mutants.length} mutants to try`);

/** By mutant, the tests that are still to be tried, each in a world of its own: by file; null: all tests of the file. */
const apart = new Map<string, Map<string, Set<string> | null>>();
function tryApart(mutant: string, file: string, test: string | null): void {
  const byFile = apart.get(mutant) ?? new Map<string, Set<string> | null>();
  apart.set(mutant, byFile);
  const before = byFile.get(file);
  if (test === null) byFile.set(file, null);
  else if (before !== null) byFile.set(file, new Set([...(before ?? []), test]));
}

function kill(mutant: Mutant, killedBy: string, statusReason: string): void {
  if (isPending(mutant)) Object.assign(mutant, { status: 'Killed', killedBy, statusReason });
}

const notReached: ReachedInFile = { inHooks: {}, once: {}, repeatable: {}, steps: 0 };

/** What shared worlds can show, and notes what they cannot. */
function planOf(reached: ReachedByFile): Plan[] {
  const reaching = new Map<string, number>();
  for (const { repeatable } of reached.values())
    for (const { hits } of Object.values(repeatable))
      for (const id of Object.keys(hits)) reaching.set(id, (reaching.get(id) ?? 0) + 1);
  const count = (id: string) => reaching.get(id) ?? 0;
  return tests.map((test) => {
    const { inHooks, once, repeatable } = reached.get(test) ?? notReached;
    const open = mutants.filter(isPending).map(({ id }) => id);
    for (const id of open) {
      if (inHooks[id] !== undefined) tryApart(id, test, null);
      for (const [name, hits] of Object.entries(once)) if (hits[id] !== undefined) tryApart(id, test, name);
    }
    const shared = open
      .filter((id) => Object.values(repeatable).some(({ hits }) => hits[id] !== undefined))
      .sort((one, other) => count(one) - count(other));
    return {
      test,
      repeatable,
      shards: Array.from({ length: workers }, (_, shard) => shared.filter((_id, index) => index % workers === shard)),
    };
  });
}

/** Which tests of which files a mutant reached in time, but did not end. */
const slow = new Map<string, { file: string; test: string }[]>();
let read = 0;
function readWorlds(): void {
  const outcomes = readOutcomes(state);
  for (const outcome of outcomes.slice(read)) {
    const mutant = byId.get(outcome.mutant ?? '');
    if (outcome.kind === 'killed' && mutant) kill(mutant, outcome.file, `${outcome.test}: ${outcome.reason}`);
    if (outcome.kind === 'missed') tryApart(outcome.mutant, outcome.file, outcome.test);
    if (outcome.kind === 'slow') slow.set(outcome.mutant, [...(slow.get(outcome.mutant) ?? []), outcome]);
    if (outcome.kind === 'spoiled')
      console.log(
        `a world of ${outcome.file} is spoiled in ${outcome.test}${mutant ? ` by ${mutant.file}:${mutant.location.start.line}` : ''}: ${outcome.reason}`,
      );
  }
  read = outcomes.length;
}

/** @returns the mutants that it did not try with every test */
async function tryShared(plans: readonly Plan[]): Promise<Set<string>> {
  writePlans(state, plans);
  const casesOf = (mostInVain: number | null) =>
    plans.flatMap(({ test, shards }, file) =>
      Array.from({ length: worldsPerRun }, () =>
        shards.flatMap((own, shard): CaseFile[] => {
          const one = { kind: 'shard' as const, directory: state, file, shard, mostInVain };
          return own.length === 0 ? [] : [{ test, one, condition: takesShard(one) }];
        }),
      ).flat(),
    );
  for (let runs = 0; runs < mostRuns; runs += 1) {
    const cases = casesOf(runs === 0 ? mostInVain : null);
    removeLocks(state, plans);
    let loaded = 0;
    if (cases.length === 0) break;
    await run(cases, (module, index) => {
      if ([...module.children.allTests()][0]?.name === 'nothing to do') return;
      loaded += 1;
      if (module.errors().length > 0) console.log(`${cases[index]?.test}: ${reasonOf(module)}`);
      readWorlds();
      writeReport(mutants);
      console.log(`${mutants.filter(isPending).length} open after ${cases[index]?.test}, ${seconds()} s`);
    });
    readWorlds();
    if (loaded === 0 && runs > 0) break;
  }
  const shardsOf = ({ shards }: Plan, file: number) => shards.map((_, shard) => new Shard(state, file, shard, null));
  return new Set(plans.flatMap(shardsOf).flatMap((shard) => shard.left()));
}

/** One load of the test file for each mutant and file. */
async function tryApartFrom(reached: ReachedByFile, left: string[]): Promise<void> {
  const cases: CaseFile[] = [];
  const lastOf = new Map<string, number>();
  for (const test of tests) {
    const { steps } = reached.get(test) ?? notReached;
    const own = mutants.filter((mutant) => isPending(mutant) && apart.get(mutant.id)?.has(test));
    for (const [index, { id }] of own.entries()) {
      const names = apart.get(id)?.get(test) ?? null;
      const limits = { hitLimit: 100_000, stepLimit: 1_000_000 + 100 * steps };
      lastOf.set(id, cases.length);
      const one = { kind: 'apart' as const, mutant: id, tests: names === null ? null : [...names], ...limits };
      cases.push({ test, condition: isOpen(id), one });
      if (index === own.length - 1 || index % controlEvery === controlEvery - 1)
        cases.push({ test, one: { ...one, mutant: null, tests: null } });
    }
  }
  if (cases.length === 0) return;
  console.log(`${cases.length} cases in worlds of their own`);
  await run(cases, (module, index) => {
    const { test = '', one } = cases[index] ?? {};
    const mutant = byId.get((one?.kind === 'apart' && one.mutant) || '');
    const isFailed = module.state() === 'failed';
    if (mutant && isFailed) kill(mutant, test, reasonOf(module));
    else if (isFailed) left.push(`${test}: ${reasonOf(module)}`);
    writeReport(mutants);
    if (index % 10 === 0) console.log(`case ${index} of ${cases.length}, ${seconds()} s`);
  });
}

const reached = await findReached(tests);
const plans = planOf(reached);
// With `--tests`, others may reach it.
const isReached = ({ id }: Mutant) => apart.has(id) || plans.some(({ shards }) => shards.flat().includes(id));
if (onlyTests === '')
  for (const mutant of mutants) if (isPending(mutant) && !isReached(mutant)) mutant.status = 'NoCoverage';
writeReport(mutants);
const untried = await tryShared(plans);
for (const [id, places] of slow) for (const { file, test } of places) tryApart(id, file, test);
const left: string[] = [];
await tryApartFrom(reached, left);
for (const mutant of mutants.filter((each) => isPending(each) && isReached(each) && !untried.has(each.id))) {
  mutant.status = 'Survived';
  console.log(`survived: ${mutant.file}:${mutant.location.start.line} → ${onOneLine(mutant.replacement)}`);
}
writeReport(mutants);
await end();
rmSync(state, { recursive: true, force: true });
const byTime = mutants.filter(({ statusReason = '' }) => statusReason.includes('timed out'));
if (byTime.length > 0) console.log('Killed by the time alone, which a busy machine does too:');
for (const { file, location, replacement, statusReason } of byTime)
  console.log(`  ${file}:${location.start.line} → ${onOneLine(replacement)} (${statusReason})`);
if (left.length > 0) console.error(`Without a mutant, after others, tests fail:\n${left.join('\n')}`);
console.log(`${group.name}: ${seconds()} s`);
// Vitest has noted that tests failed, as they should.
process.exitCode = left.length > 0 ? 1 : 0;
