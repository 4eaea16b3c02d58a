import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * `npm run check`: everything that can be known without running the product. Runs all, prints what failed, exits 1. With the name of a
 * file it writes the names and outputs of those that failed into it, as JSON.
 */

const root = join(import.meta.dirname, '..');
const bin = (name: string) => join(root, 'node_modules', '.bin', name);
const node = process.execPath;
/** Each checked alone; what runs in Node is one program in `tsconfig.node.json`, whose parts would otherwise check the server again. */
const apart = ['web', 'web/vite', 'e2e', 'sandbox/desk'];

interface Check {
  name: string;
  command: string;
  args: string[];
}

const checks: Check[] = [
  { name: 'format and lint', command: bin('biome'), args: ['ci', '--colors=off', '.'] },
  { name: 'types: contract, server, sandbox, bench, tools', command: bin('tsc'), args: ['-p', 'tsconfig.node.json'] },
  ...apart.map((directory) => ({ name: `types: ${directory}`, command: bin('tsc'), args: ['-p', directory] })),
  { name: 'compiled contracts', command: node, args: ['sandbox/contracts/build.ts', '--check'] },
  {
    name: 'directions and cycles',
    command: bin('depcruise'),
    args: ['--config', '.dependency-cruiser.mjs', 'contract/src', 'server/src', 'web/src', 'sandbox/src'],
  },
  { name: 'unused code', command: bin('knip'), args: [] },
  { name: 'tidy', command: node, args: ['tools/tidy.ts'] },
  { name: 'texts', command: node, args: ['tools/check-texts.ts'] },
  { name: 'lock file', command: node, args: ['tools/check-lockfile.ts'] },
  { name: 'security', command: node, args: ['tools/check-security.ts'] },
  { name: 'documents', command: node, args: ['tools/check-documents.ts'] },
  { name: 'errors', command: node, args: ['tools/check-errors.ts'] },
  { name: 'bytes', command: node, args: ['tools/check-bytes.ts'] },
];

function run(check: Check): Promise<{ failed: boolean; output: string }> {
  return new Promise((resolve) => {
    const child = spawn(check.command, check.args, { cwd: root });
    let output = '';
    child.stdout.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', (error) => resolve({ failed: true, output: error.message }));
    child.once('close', (code) => resolve({ failed: code !== 0, output }));
  });
}

const failures: { name: string; output: string }[] = [];
const waiting = [...checks];

/** Runs one check after another until none waits. */
async function runInTurn(): Promise<void> {
  for (let check = waiting.shift(); check !== undefined; check = waiting.shift()) {
    const startedAt = performance.now();
    const { failed, output } = await run(check);
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
    console.log(`${failed ? 'FAILED' : 'ok    '} ${check.name} (${seconds} s)`);
    if (!failed) continue;
    failures.push({ name: check.name, output });
    console.log(output);
  }
}

// Two at a time: most of them use one core.
await Promise.all([runInTurn(), runInTurn()]);
console.log(`${checks.length - failures.length} of ${checks.length} checks passed`);
const [file] = process.argv.slice(2);
if (file !== undefined) writeFileSync(file, JSON.stringify(failures));
if (failures.length > 0) process.exitCode = 1;
