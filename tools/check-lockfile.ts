import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { completeLockfile, type Lockfile, problemsOf } from './lockfile.ts';

/**
 * Checks that `npm ci` works on every platform and from every registry. With `--complete`, adds the entries that npm left out
 * because the registry in use does not carry those packages: run it after `npm install` on a mirror.
 */
const file = join(import.meta.dirname, '../package-lock.json');
const lockfile = JSON.parse(readFileSync(file, 'utf8')) as Lockfile;

if (process.argv.includes('--complete')) {
  const added = completeLockfile(lockfile);
  writeFileSync(file, `${JSON.stringify(lockfile, null, 2)}\n`);
  for (const name of added) console.log(`added ${name}`);
}
const problems = problemsOf(lockfile);
for (const problem of problems) console.log(problem);
if (problems.length > 0) {
  console.log('Add missing entries with: node tools/check-lockfile.ts --complete');
  process.exitCode = 1;
}
