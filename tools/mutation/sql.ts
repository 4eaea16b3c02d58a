import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { mutations } from './sql-mutations.ts';

/**
 * Mutates the SQL that keeps money and companies apart, one place at a time, in a copy of the tree, and runs the tests that
 * should notice. Prints each mutation that none noticed, and the score; exits 1 if one survived. First runs all of these
 * tests unmutated, since a test that fails anyway would kill everything.
 */

const root = join(import.meta.dirname, '../..');
const copy = join(root, '.cache/mutation-sql');

function copyTree(): void {
  rmSync(copy, { recursive: true, force: true });
  const listed = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 10_000_000,
  });
  for (const file of listed
    .split('\n')
    .filter((name) => /^(contract|server|sandbox|tools|web\/vite|package|vitest|tsconfig)/.test(name))) {
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(root, file), join(copy, file));
  }
  for (const folder of ['node_modules', 'server/node_modules']) symlinkSync(join(root, folder), join(copy, folder));
}

function passes(tests: readonly string[]): boolean {
  const vitest = join(root, 'node_modules/vitest/vitest.mjs');
  const args = [
    vitest,
    'run',
    '--project',
    'server',
    '--project',
    'server-mocking',
    '--bail',
    '1',
    '--reporter',
    'dot',
    ...tests,
  ];
  return spawnSync(process.execPath, args, { cwd: copy, stdio: 'ignore' }).status === 0;
}

copyTree();
const all = [...new Set(mutations.flatMap(({ tests }) => tests))];
if (!passes(all)) {
  console.error('The tests fail without any mutation; mend that first.');
  process.exit(1);
}

const survivors: string[] = [];
for (const { file, from, to, tests, guards } of mutations) {
  const path = join(copy, 'server/migrations', file);
  const text = readFileSync(path, 'utf8');
  if (text.split(from).length !== 2)
    throw new Error(`${file} holds this text ${text.split(from).length - 1} times: ${from}`);
  writeFileSync(
    path,
    text.replace(from, () => to),
  );
  const survived = passes(tests);
  writeFileSync(path, text);
  console.log(`${survived ? 'SURVIVED' : 'killed  '} ${file}: ${guards}`);
  if (survived) survivors.push(guards);
}

rmSync(copy, { recursive: true, force: true });
console.log(`${mutations.length - survivors.length} of ${mutations.length} mutations of SQL killed`);
if (survivors.length > 0) process.exitCode = 1;
