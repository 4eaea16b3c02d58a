import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { BaseSequencer, type Reporter, startVitest, type TestModule, type TestSpecification } from 'vitest/node';
import { type Decision, hashOfText, keepDecided, readDecided } from './decided.ts';
import { isExplained, onOneLine, type Place, textAt } from './explained.ts';
import { groupOfProcess, withoutBraces } from './groups.ts';
import type { Case, Reached } from './warm-runner.ts';

/**
 * Tries the mutants of one group with Stryker's instrumentation, but in processes that have the product loaded already: a mutant is switched on, the
 * tests that reach it run until one fails, the next one follows. Started by run.ts; writes the same report as Stryker.
 * The report and `decided/` are written as they grow: an interrupted run leaves what it has decided, and `--incremental` goes on with the rest, on another
 * machine by `decided/` alone.
 */

const root = join(import.meta.dirname, '../..');
const given = groupOfProcess();
const onlyTests = process.env['MUTATION_TESTS'] || '';
const group = onlyTests === '' ? given : { ...given, tests: onlyTests.split(',') };
const only = process.env['MUTATION_ONLY'] || '';
const isIncremental = Boolean(process.env['MUTATION_INCREMENTAL']);
const work = join(root, '.cache/mutation', group.name);
const reportFile = join(root, `.cache/results/mutation-${group.name}.json`);
/** Fewer where others work on the same machine: a mutant must not count as killed because a test had no time. */
const workers = Number(process.env['MUTATION_WORKERS'] || '2');
/** How long a test or a hook may take. Less where the tests are quick, since many mutants of a group make them wait for ever. */
const patienceMs = Number(process.env['MUTATION_PATIENCE_MS'] || '60000');
/** After so many cases one runs without a mutant: if it fails, a mutant left something behind. */
const controlEvery = 100;

type Status = 'Pending' | 'Killed' | 'Survived' | 'NoCoverage' | 'Ignored';

interface Mutant {
  id: string;
  file: string;
  replacement: string;
  location: { start: Place; end: Place };
  status: Status;
  killedBy?: string;
  statusReason?: string;
}

/** Of a test file: which of its tests reach which mutant, how often. */
type ReachedByFile = Map<string, Reached>;

const sources = new Map<string, string>();
const instrumented = new Map<string, string>();

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

async function instrument(): Promise<Mutant[]> {
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
function testFiles(): string[] {
  return [...new Set(group.tests.flatMap(withoutBraces).flatMap((glob) => globSync(glob, { cwd: root }).sort()))];
}

/** A file that loads a test file once more, under an address of its own, as a case. */
function writeCase(name: string, test: string, one: Case, mark: string | null): void {
  const address = `${relative(work, join(root, test))}?case=${name}`;
  const load = `globalThis.mutationCase = ${JSON.stringify(one)};\n  await import(${JSON.stringify(address)});`;
  const text =
    mark === null
      ? `{\n  ${load}\n}\n`
      : `import { existsSync } from 'node:fs';
import { test } from 'vitest';
if (existsSync(${JSON.stringify(mark)})) test('not needed any more', () => {});
else {
  ${load}
}
`;
  writeFileSync(join(work, `${name}.case.ts`), text);
}

class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

async function run(onEnd: (name: string, module: TestModule) => void): Promise<void> {
  const reporter: Reporter = {
    onTestModuleEnd: (module) => onEnd(/([^/]+)\.case\.ts$/.exec(module.moduleId)?.[1] ?? '', module),
  };
  const vitest = await startVitest(
    'test',
    [],
    {
      config: false,
      root,
      watch: false,
      environment: 'node',
      pool: 'forks',
      maxWorkers: workers,
      isolate: false,
      // It is kept by the files' own text, and would pass over what is put in its place.
      fsModuleCache: false,
      runner: join(import.meta.dirname, 'warm-runner.ts'),
      include: [`${relative(root, work)}/*.case.ts`],
      sequence: { sequencer: ByName },
      testTimeout: patienceMs,
      hookTimeout: patienceMs,
      expect: { poll: { timeout: patienceMs / 3 } },
      globalSetup: group.isPure ? [] : ['tools/test-postgres.ts'],
      onConsoleLog: () => false,
      reporters: [reporter],
    },
    {
      plugins: [
        {
          name: 'mutants',
          enforce: 'pre',
          load: (id: string) => instrumented.get(id.replace(/\?.*$/, '')) ?? null,
        },
      ],
    },
  );
  await vitest.close();
}

function emptyWork(): void {
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'killed'), { recursive: true });
}

const numbered = (index: number) => String(index).padStart(6, '0');

/** Runs all tests without a mutant. One that fails is said, and not used: it would kill everything. */
async function findReached(tests: readonly string[]): Promise<ReachedByFile> {
  emptyWork();
  const reached: ReachedByFile = new Map();
  for (const [index, test] of tests.entries())
    writeCase(numbered(index), test, { mutant: null, tests: null, ...noLimit }, null);
  await run((name, module) => {
    const test = tests[Number(name)] ?? '';
    console.log(`${test}: ${module.state()} in ${Math.round(module.diagnostic().duration)} ms`);
    const failed = new Set([...module.children.allTests('failed')].map(({ fullName }) => fullName));
    if (module.state() !== 'passed') console.error(`Fails without any mutant: ${reasonOf(module)}`);
    const passed = Object.entries(module.meta().reached ?? {}).filter(([name]) => !failed.has(name));
    reached.set(test, failed.size === 0 && module.state() !== 'passed' ? {} : Object.fromEntries(passed));
  });
  return reached;
}

function reasonOf(module: TestModule): string {
  for (const test of module.children.allTests('failed'))
    return `${test.fullName}: ${test.result().errors?.[0]?.message.split('\n')[0] ?? ''}`;
  return module.errors()[0]?.message.split('\n')[0] ?? '';
}

const noLimit = { hitLimit: Number.MAX_SAFE_INTEGER, stepLimit: Number.MAX_SAFE_INTEGER };

interface Trial extends Case {
  test: string;
}

/** For each test file the mutants that it reaches: all mutants with the first file, those that are left with the second. */
function trialsOf(mutants: readonly Mutant[], tests: readonly string[], reachedByFile: ReachedByFile): Trial[] {
  return tests.flatMap((test) => {
    const reached = Object.entries(reachedByFile.get(test) ?? {});
    const steps = reached.flatMap(([, counts]) => Object.values(counts)).reduce((sum, count) => sum + count, 0);
    const trials = mutants.flatMap(({ id }): Trial[] => {
      const by = reached.filter(([, counts]) => counts[id] !== undefined);
      if (by.length === 0) return [];
      const hits = by.reduce((sum, [, counts]) => sum + (counts[id] ?? 0), 0);
      const isInHook = by.some(([name]) => name === 'outside of tests');
      const tests = isInHook ? null : by.map(([name]) => name);
      return [{ test, mutant: id, tests, hitLimit: 1000 + 100 * hits, stepLimit: 1_000_000 + 100 * steps }];
    });
    const control: Trial = { test, mutant: null, tests: null, ...noLimit };
    return trials.flatMap((trial, index) =>
      index === trials.length - 1 || index % controlEvery === controlEvery - 1 ? [trial, control] : [trial],
    );
  });
}

const hashOf = (file: string) => hashOfText(readFileSync(join(root, file), 'utf8'));

interface Report {
  /** The test files, by their contents. */
  tests: Record<string, string>;
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

function writeReport(mutants: readonly Mutant[], tests: Record<string, string>): void {
  const files = Object.fromEntries(
    [...sources].map(([file, source]) => [file, { source, mutants: mutants.filter((mutant) => mutant.file === file) }]),
  );
  mkdirSync(join(root, '.cache/results'), { recursive: true });
  writeFileSync(reportFile, JSON.stringify({ tests, files: { ...others, ...files } } satisfies Report));
  // Of some tests or lines alone nothing is kept: signs are by the order of all tests and all mutants.
  if (onlyTests !== '' || only.includes(':')) return;
  const decided = new Map(
    [...sources.keys()].map((file) => [file, mutants.filter((mutant) => mutant.file === file).map(decisionOf)]),
  );
  keepDecided(group.name, sources, testHashes, decided);
}

function decisionOf({ status, killedBy }: Mutant): Decision {
  if (status === 'Killed' && killedBy !== undefined && testHashes.has(killedBy)) return { killedBy };
  return status === 'Survived' ? 'survived' : status === 'NoCoverage' ? 'unreached' : 'open';
}

/** Takes over what earlier runs have decided, wherever they ran. */
function takeOverDecided(mutants: readonly Mutant[]): void {
  if (!isIncremental) return;
  const statuses = { survived: 'Survived', unreached: 'NoCoverage', open: 'Pending' } as const;
  for (const [file, decisions] of readDecided(group.name, sources, testHashes)) {
    for (const [place, mutant] of mutants.filter((each) => each.file === file).entries()) {
      const decision = decisions[place] ?? 'open';
      if (typeof decision === 'string') mutant.status = statuses[decision];
      else Object.assign(mutant, { status: 'Killed', ...decision });
    }
  }
}

/** Of the last report, what this run does not try (`--only`). */
const others: Report['files'] = {};

/** Takes over of the last report what still holds: kills by a test file that is the same; survivors where all test files are. */
function takeOver(mutants: readonly Mutant[], tests: Record<string, string>): void {
  if (!isIncremental || !existsSync(reportFile)) return;
  const report = JSON.parse(readFileSync(reportFile, 'utf8')) as Report;
  const isSame = Object.entries(tests).every(([test, hash]) => report.tests[test] === hash);
  const nameOf = ({ location, replacement }: Mutant) => JSON.stringify([location, replacement]);
  for (const [file, before] of Object.entries(report.files)) {
    if (!sources.has(file)) others[file] = before;
    if (sources.get(file) !== before.source) continue;
    const known = new Map(before.mutants.map((mutant) => [nameOf(mutant), mutant]));
    for (const mutant of mutants.filter((each) => each.file === file && each.status === 'Pending')) {
      const { status = 'Pending', killedBy, statusReason } = known.get(nameOf(mutant)) ?? {};
      const holds = killedBy === undefined ? isSame : hashOf(killedBy) === report.tests[killedBy];
      if (!holds) continue;
      Object.assign(mutant, { status, killedBy, statusReason });
      if (killedBy !== undefined) tests[killedBy] = hashOf(killedBy);
    }
  }
}

const mutants = await instrument();
const tests = testFiles();
const hashes = Object.fromEntries(tests.map((test) => [test, hashOf(test)]));
const testHashes = new Map(Object.entries(hashes));
takeOverDecided(mutants);
takeOver(mutants, hashes);
for (const mutant of process.env['MUTATION_ALL'] ? [] : mutants.filter(({ status }) => status === 'Pending')) {
  const { start, end } = mutant.location;
  const original = onOneLine(textAt(sources.get(mutant.file) ?? '', start, end));
  if (!isExplained({ file: mutant.file, original, replacement: onOneLine(mutant.replacement) })) continue;
  // It would take every test of the group to see it survive.
  Object.assign(mutant, { status: 'Survived', statusReason: 'explained, and not tried' });
}
const open = mutants.filter(({ status }) => status === 'Pending');
console.log(`${group.name}: ${open.length} of ${mutants.length} mutants to try`);

const reached = await findReached(tests);
const trials = trialsOf(open, tests, reached);
const byId = new Map(mutants.map((mutant) => [mutant.id, mutant]));
const lastTrial = new Map(trials.map(({ mutant }, index) => [mutant, index]));
// With `--tests`, others may reach it.
if (onlyTests === '') for (const mutant of open) if (!lastTrial.has(mutant.id)) mutant.status = 'NoCoverage';
emptyWork();
for (const [index, { test, ...one }] of trials.entries())
  writeCase(numbered(index), test, one, one.mutant === null ? null : join(work, 'killed', one.mutant));

const left: string[] = [];
let decided = 0;
const begun = Date.now();
await run((name, module) => {
  const index = Number(name);
  const { test = '', mutant: id = null } = trials[index] ?? {};
  const isFailed = module.state() === 'failed';
  const mutant = byId.get(id ?? '');
  if (!mutant) {
    if (isFailed) left.push(`${test}: ${reasonOf(module)}`);
    return;
  }
  if (isFailed && mutant.status === 'Pending') {
    writeFileSync(join(work, 'killed', mutant.id), '');
    Object.assign(mutant, { status: 'Killed', killedBy: test, statusReason: reasonOf(module) });
    decided += 1;
  } else if (lastTrial.get(id) === index && mutant.status === 'Pending') {
    mutant.status = 'Survived';
    decided += 1;
    console.log(
      `survived: ${mutant.file}:${mutant.location.start.line} → ${mutant.replacement.replaceAll(/\s+/g, ' ')}`,
    );
  }
  if (index % 10 === 0) {
    console.log(`${decided} decided, case ${index} of ${trials.length}, ${Math.round((Date.now() - begun) / 1000)} s`);
    writeReport(mutants, hashes);
  }
});
writeReport(mutants, hashes);
rmSync(work, { recursive: true, force: true });
const byTime = mutants.filter(({ statusReason = '' }) => statusReason.includes('timed out'));
if (byTime.length > 0) console.log('Killed by the time alone, which a busy machine does too:');
for (const { file, location, replacement, statusReason } of byTime)
  console.log(`  ${file}:${location.start.line} → ${onOneLine(replacement)} (${statusReason})`);
if (left.length > 0) console.error(`Without a mutant, after others, tests fail:\n${left.join('\n')}`);
// Vitest has noted that tests failed, as they should.
process.exitCode = left.length > 0 ? 1 : 0;
