import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Decision, hashOfText, keepDecided, readDecided } from './decided.ts';
import { isExplained, onOneLine, textAt } from './explained.ts';
import { group, type Mutant, only, onlyTests, root, sources, testFiles } from './mutants.ts';

/** What a run has found, written in the form of Stryker's report and into `decided/`; and what it takes over of earlier ones. */

const isIncremental = Boolean(process.env['MUTATION_INCREMENTAL']);
const reportFile = join(root, `.cache/results/mutation-${group.name}.json`);

const hashOf = (file: string) => hashOfText(readFileSync(join(root, file), 'utf8'));
const hashes = Object.fromEntries(testFiles().map((test) => [test, hashOf(test)]));
const testHashes = new Map(Object.entries(hashes));

interface Report {
  /** The test files, by their contents. */
  tests: Record<string, string>;
  files: Record<string, { source: string; mutants: Mutant[] }>;
}

export function writeReport(mutants: readonly Mutant[]): void {
  const files = Object.fromEntries(
    [...sources].map(([file, source]) => [file, { source, mutants: mutants.filter((mutant) => mutant.file === file) }]),
  );
  mkdirSync(join(root, '.cache/results'), { recursive: true });
  writeFileSync(reportFile, JSON.stringify({ tests: hashes, files: { ...others, ...files } } satisfies Report));
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
function takeOverKept(mutants: readonly Mutant[]): void {
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
function takeOverReport(mutants: readonly Mutant[], tests: Record<string, string>): void {
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

/** Takes over what holds of earlier runs, and of survivors.ts, as the status of the mutants. */
export function takeOver(mutants: readonly Mutant[]): void {
  takeOverKept(mutants);
  takeOverReport(mutants, hashes);
  for (const mutant of process.env['MUTATION_ALL'] ? [] : mutants.filter(({ status }) => status === 'Pending')) {
    const { start, end } = mutant.location;
    const original = onOneLine(textAt(sources.get(mutant.file) ?? '', start, end));
    if (!isExplained({ file: mutant.file, original, replacement: onOneLine(mutant.replacement) })) continue;
    // It would take every test of the group to see it survive.
    Object.assign(mutant, { status: 'Survived', statusReason: 'explained, and not tried' });
  }
}
