/**
 * `npm test`: everything, on a bare clone: set-up, checks, unit and integration tests on a real PostgreSQL and a real
 * chain, then the journeys in a real browser. Says what it is doing, and ends with one line of counts.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ensureBrowser } from './browser.mjs';
import { cache, fail, root, setUp } from './set-up.mjs';
import { temporaryDirectory, temporaryPlace } from './temporary.mjs';

/** @typedef {{ passed: number, failed: number, failures?: string[] }} Counts failures: what failed, with the reason's first lines */

const results = join(cache, 'results');
/**
 * Tests start the product's processes many times over: with their code compiled once, a start takes half the processor time. The data
 * of these products, their databases and the browsers' profiles are made in memory where there is plenty.
 */
const cheap = { NODE_COMPILE_CACHE: join(cache, 'node'), TMPDIR: temporaryPlace() };

/**
 * @param {string} node
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {Promise<number>} the exit code
 */
function run(node, args, env = {}) {
  return new Promise((resolve) => {
    const path = `${join(root, 'node_modules', '.bin')}:${process.env['PATH']}`;
    const child = spawn(node, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...cheap, PATH: path, ...env },
    });
    child.once('error', () => resolve(1));
    child.once('exit', (code) => resolve(code ?? 1));
  });
}

/**
 * @param {string} file
 * @returns {any} null when the run wrote nothing
 */
function readJson(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}

/**
 * @param {string} name
 * @param {string | undefined} reason
 */
function failure(name, reason) {
  // Reasons of both runners carry colours.
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the escape character is what is taken out
  const lines = (reason ?? '').replaceAll(/\u001b\[\d+m/g, '').split('\n');
  return [name, ...lines.slice(0, 12)].join('\n    ');
}

/**
 * Unit and integration tests.
 * @param {string} node
 * @returns {Promise<Counts>}
 */
async function vitest(node) {
  const file = join(results, 'vitest.json');
  const cli = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const code = await run(node, [cli, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`]);
  const report = readJson(file);
  /** @type {string[]} */
  const failures = [];
  for (const file of report?.testResults ?? []) {
    const failed = file.assertionResults.filter((/** @type {any} */ test) => test.status === 'failed');
    for (const test of failed) failures.push(failure(`${file.name} › ${test.fullName}`, test.failureMessages[0]));
    // A file that could not even be loaded fails without counting a test.
    if (failed.length === 0 && file.status === 'failed') failures.push(failure(file.name, file.message));
  }
  const counts = { passed: report?.numPassedTests ?? 0, failed: report?.numFailedTests ?? 0, failures };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * The specs that failed, of a suite and of those inside it.
 * @param {any} suite
 * @returns {string[]}
 */
function failuresIn(suite) {
  /** @type {string[]} */
  const own = (suite.specs ?? [])
    .filter((/** @type {any} */ spec) => !spec.ok)
    .map((/** @type {any} */ spec) =>
      failure(`${spec.file} › ${spec.title}`, spec.tests[0]?.results.at(-1)?.error?.message),
    );
  return [...own, ...(suite.suites ?? []).flatMap(failuresIn)];
}

/**
 * Journeys in the browser.
 * @param {string} node
 * @param {Promise<string | null>} browser what is wrong with it
 * @returns {Promise<Counts>}
 */
async function journeys(node, browser) {
  const missing = await browser;
  if (missing !== null) {
    console.error(missing);
    return { passed: 0, failed: 1 };
  }
  const file = join(results, 'playwright.json');
  const cli = join(root, 'node_modules', '@playwright', 'test', 'cli.js');
  const args = [cli, 'test', '--config', 'e2e/playwright.config.ts'];
  const given = process.env['CAUSEWAY_DATA_DIR'];
  const data = given ?? temporaryDirectory('causeway-e2e-');
  const code = await run(node, args, { PLAYWRIGHT_JSON_OUTPUT_FILE: file, CAUSEWAY_DATA_DIR: data });
  if (code !== 0) console.log(`The product's data and logs are in ${data}.`);
  else if (given === undefined) rmSync(data, { recursive: true, force: true });
  const report = readJson(file);
  const stats = report?.stats;
  const failures = (report?.suites ?? []).flatMap(failuresIn);
  const counts = { passed: stats?.expected ?? 0, failed: (stats?.unexpected ?? 0) + (stats?.flaky ?? 0), failures };
  return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
}

/**
 * @param {string} node
 * @returns {Promise<Counts>}
 */
async function checks(node) {
  const file = join(results, 'checks.json');
  const code = await run(node, ['tools/check.ts', file]);
  /** @type {{ name: string, output: string }[]} */
  const failed = readJson(file) ?? [];
  if (code === 0) return { passed: 1, failed: 0 };
  return { passed: 0, failed: 1, failures: failed.map(({ name, output }) => failure(name, output)) };
}

try {
  // Packages of the system and those of npm are waited for together.
  const browser = ensureBrowser();
  const node = await setUp();
  rmSync(results, { recursive: true, force: true });
  mkdirSync(results, { recursive: true });
  const total = { passed: 0, failed: 0 };
  /** @type {string[]} */
  const failed = [];
  /** @type {[string, (node: string) => Promise<Counts>][]} */
  const phases = [
    ['Checks', checks],
    ['Unit and integration tests', vitest],
    ['Journeys in the browser', (node) => journeys(node, browser)],
  ];
  for (const [name, phase] of phases) {
    const startedAt = Date.now();
    console.log(`\n== ${name}`);
    const counts = await phase(node);
    total.passed += counts.passed;
    total.failed += counts.failed;
    failed.push(...(counts.failures ?? []));
    console.log(
      `== ${name}: ${counts.passed} passed, ${counts.failed} failed in ${Math.round((Date.now() - startedAt) / 1000)} s`,
    );
  }
  // Again at the end: a log that is cut keeps its end.
  if (failed.length > 0) console.log(`\n== Failed\n\n${failed.join('\n\n')}`);
  console.log(`\n${total.passed} passed, ${total.failed} failed`);
  process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
} catch (error) {
  fail(error);
}
