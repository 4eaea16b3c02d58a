/**
 * `npm start`: sets up what is missing and runs the sandbox. Variants: --setup (set up, do not start), --dev (with reload),
 * --reset (move the data aside).
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { cache, fail, root, setUp } from './set-up.mjs';

const modes = new Set(process.argv.slice(2));
const usage = `npm start runs the sandbox; variants:
  npm run dev             with reload
  npm run setup           sets up and starts nothing
  npm run sandbox:reset   moves the sandbox's data aside
CAUSEWAY_DATA_DIR=<directory> says where the data stand, CAUSEWAY_PORT_HTTP=<port> and its like change ports (README.md).`;

/**
 * Runs a program of the sandbox in this process's place: signals are passed on, its exit code becomes ours. The channel
 * tells it when we are gone.
 * @param {string} node
 * @param {string[]} args
 */
function run(node, args) {
  const env = { ...process.env, NODE_COMPILE_CACHE: join(cache, 'node') };
  const child = spawn(node, args, { cwd: root, env, stdio: ['inherit', 'inherit', 'inherit', 'ipc'] });
  /** @type {NodeJS.Signals[]} */
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  for (const signal of signals) process.on(signal, () => child.kill(signal));
  child.once('error', (error) => fail(error));
  child.once('exit', (code, signal) => process.exit(signal === null && code !== null ? code : 1));
}

const unknown = [...modes].find((mode) => !['--dev', '--setup', '--reset', '--help'].includes(mode));

try {
  if (unknown !== undefined || modes.has('--help')) {
    console.log(unknown === undefined ? usage : `There is no ${unknown}.\n${usage}`);
    process.exit(unknown === undefined ? 0 : 1);
  }
  const node = await setUp({ build: !modes.has('--dev') && !modes.has('--reset') });
  if (modes.has('--reset')) run(node, ['sandbox/src/reset.ts']);
  else if (modes.has('--setup')) console.log('Everything is set up; npm start runs it.');
  else run(node, ['sandbox/src/main.ts', ...(modes.has('--dev') ? ['--dev'] : [])]);
} catch (error) {
  fail(error);
}
