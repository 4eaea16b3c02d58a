import { spawnSync } from 'node:child_process';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isExplained, onOneLine, type Place, textAt } from './explained.ts';
import { groups, withoutBraces } from './groups.ts';

/**
 * `npm run proof:mutation [-- group …]`: mutates SQL (group `sql`) and the groups of groups.ts, all of them unless some are named,
 * and holds every survivor against survivors.ts. Prints the score of each group; exits 1 on a survivor without a reason.
 * - `--only=server/src/a.ts,server/src/b.ts:10-80` mutates these files or lines alone.
 * - `--incremental` runs again only what the last run with it did not decide, as far as mutated files and tests have not changed;
 *   changes of other files go unseen.
 * - `--tests=server/src/a.test.ts` runs these tests alone; with `--incremental`, against the mutants that are not decided.
 * - `--all` tries those too that survivors.ts explains.
 * - `--report` runs nothing and shows the last report.
 * `MUTATION_WORKERS=1` tries one mutant at a time instead of two, for a machine on which others work; `MUTATION_PATIENCE_MS` (60,000) is how
 * long a test may take.
 */

const root = join(import.meta.dirname, '../..');

interface Report {
  files: Record<
    string,
    { source: string; mutants: { status: string; replacement?: string; location: { start: Place; end: Place } }[] }
  >;
}

interface Mutant {
  file: string;
  line: number;
  status: string;
  original: string;
  replacement: string;
}

function readMutants(group: string): Mutant[] {
  const report = JSON.parse(readFileSync(join(root, `.cache/results/mutation-${group}.json`), 'utf8')) as Report;
  return Object.entries(report.files).flatMap(([file, { source, mutants }]) =>
    mutants.map(({ status, replacement = '', location: { start, end } }) => ({
      file,
      line: start.line,
      status,
      original: onOneLine(textAt(source, start, end)),
      replacement: onOneLine(replacement),
    })),
  );
}

/** @returns how many survivors have no reason, and how many are not decided. */
function account(group: string): number {
  const mutants = readMutants(group);
  const count = (...statuses: string[]) => mutants.filter(({ status }) => statuses.includes(status)).length;
  const killed = count('Killed', 'Timeout', 'RuntimeError');
  const survived = mutants.filter(({ status }) => status === 'Survived');
  const unexplained = survived.filter((mutant) => !isExplained(mutant));
  const uncovered = count('NoCoverage');
  const undecided = count('Pending');
  const score = ((100 * killed) / Math.max(1, killed + survived.length)).toFixed(2);
  console.log(
    `${group}: ${score} % of the ${killed + survived.length} mutants that a test runs are killed; ${survived.length - unexplained.length} survivors explained, ${unexplained.length} not; ${uncovered} mutants in lines that these tests do not run; ${undecided} not decided`,
  );
  for (const { file, line, original, replacement } of unexplained)
    console.log(`  ${file}:${line}  ${original}  →  ${replacement}`);
  return unexplained.length + undecided;
}

/** Files may have been renamed since a group was written; Stryker would pass over them. */
function refuseEmptyGlobs(name: string): void {
  const { mutate, tests } = groups[name] ?? { mutate: [], tests: [] };
  const empty = [...mutate, ...tests]
    .filter((glob) => !glob.startsWith('!'))
    .flatMap((glob) => withoutBraces(glob))
    .filter((glob) => globSync(glob, { cwd: root }).length === 0);
  if (empty.length > 0) throw new Error(`group ${name} names files that do not exist: ${empty.join(', ')}`);
}

function start(script: string, group: string): boolean {
  const env = {
    ...process.env,
    MUTATION_GROUP: group,
    MUTATION_ONLY: only,
    MUTATION_TESTS: onlyTests,
    MUTATION_INCREMENTAL: isIncremental ? '1' : '',
    MUTATION_ALL: process.argv.includes('--all') ? '1' : '',
  };
  return spawnSync(process.execPath, [script], { cwd: root, stdio: 'inherit', env }).status === 0;
}

const isReportOnly = process.argv.includes('--report');
const isIncremental = process.argv.includes('--incremental');
const optionOf = (option: string) =>
  process.argv.find((argument) => argument.startsWith(`--${option}=`))?.slice(`--${option}=`.length) ?? '';
const only = optionOf('only');
const onlyTests = optionOf('tests');
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('--'));
const chosen = named.length > 0 ? named : ['sql', ...Object.keys(groups)];
const unknown = chosen.filter((name) => name !== 'sql' && groups[name] === undefined);
if (unknown.length > 0) throw new Error(`no such group: ${unknown.join(', ')}`);
for (const name of chosen) if (name !== 'sql') refuseEmptyGlobs(name);

let failures = 0;
for (const name of chosen) {
  if (name === 'sql') {
    if (!isReportOnly && !start(join(root, 'tools/mutation/sql.ts'), name)) failures += 1;
    continue;
  }
  if (!isReportOnly && !start(join(root, 'tools/mutation/warm.ts'), name)) failures += 1;
  else if (existsSync(join(root, `.cache/results/mutation-${name}.json`))) failures += account(name);
}
process.exit(failures === 0 ? 0 : 1);
