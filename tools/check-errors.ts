import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { calls } from '@causeway/contract/calls.ts';
import { type ErrorKey, errors } from '@causeway/contract/errors.ts';

/**
 * Refuses an error key that no test names: the rule behind it could be removed without a failure. Also refuses a key that
 * the server never throws, and two keys with one number.
 */

const root = join(import.meta.dirname, '..');

/** The keys that each group of files names as a string. */
function namedIn(patterns: readonly string[], keep: (file: string) => boolean): Set<string> {
  const files = patterns.flatMap((pattern) => globSync(pattern, { cwd: root })).filter(keep);
  const named = new Set<string>();
  for (const file of files) {
    if (file.includes('node_modules')) continue;
    for (const [, word] of readFileSync(join(root, file), 'utf8').matchAll(/['"`]([a-z][A-Za-z]+)['"`]/g)) {
      if (word !== undefined) named.add(word);
    }
  }
  return named;
}

const isTest = (file: string) => /\.(test|spec)\.tsx?$/.test(file);
const tested = namedIn(['server/src/**/*.ts', 'contract/src/**/*.ts', 'web/src/**/*.{ts,tsx}', 'e2e/**/*.ts'], isTest);
const thrown = namedIn(['server/src/**/*.ts'], (file) => !isTest(file) && !file.startsWith('server/src/testing/'));
const declared = new Set<string>(calls.flatMap((call) => [...call.errors]));

const keys = Object.keys(errors) as ErrorKey[];
const problems: string[] = [];
const byNumber = new Map<number, ErrorKey>();
for (const key of keys) {
  if (!tested.has(key)) problems.push(`${key}: no test names this error`);
  if (!thrown.has(key)) problems.push(`${key}: the server never answers this error`);
  const twin = byNumber.get(errors[key].code);
  if (twin !== undefined) problems.push(`${key}: number ${errors[key].code} is also ${twin}`);
  byNumber.set(errors[key].code, key);
}
for (const key of declared) if (!keys.includes(key as ErrorKey)) problems.push(`${key}: declared by a call, unknown`);

for (const problem of problems) console.log(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log(`errors: ${keys.length} keys, each thrown and named in a test`);
