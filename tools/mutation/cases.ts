import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import {
  BaseSequencer,
  createVitest,
  type Reporter,
  type TestModule,
  type TestSpecification,
  type Vitest,
} from 'vitest/node';
import { group, instrumented, root } from './mutants.ts';
import type { Case } from './warm-runner.ts';

/** Runs vitest over files that each load a test file once more, as a case. */

export const work = join(root, '.cache/mutation', group.name);
/** What the processes know of the mutants; outside of `work`, which each run empties. */
export const state = `${work}-worlds`;
/** Fewer where others work on the same machine: a mutant must not count as killed because a test had no time. */
export const workers = Number(process.env['MUTATION_WORKERS'] || '2');
/** How long a test or a hook may take. Less where the tests are quick, since many mutants of a group make them wait for ever. */
const patienceMs = Number(process.env['MUTATION_PATIENCE_MS'] || '60000');

export interface CaseFile {
  test: string;
  one: Case;
  /** An expression, evaluated first, without whose truth nothing is loaded. */
  condition?: string;
}

const worlds = JSON.stringify(join(import.meta.dirname, 'worlds.ts'));

/** A shard of a test file that still has mutants, and that no other process works on. */
export const takesShard = ({ directory, file, shard, mostInVain }: Case & { kind: 'shard' }) =>
  `(() => { const own = new Shard(${JSON.stringify(directory)}, ${file}, ${shard}, ${mostInVain}); return own.hasWork() && own.take(); })()`;
export const isOpen = (mutant: string) => `!isKilled(${JSON.stringify(state)}, ${JSON.stringify(mutant)})`;

/** A file that loads a test file once more, under an address of its own. */
function writeCase(directory: string, name: string, { test, one, condition }: CaseFile): string {
  const address = `${relative(directory, join(root, test))}?case=${runs}-${name}`;
  const load = `globalThis.mutationCase = ${JSON.stringify(one)};\n  await import(${JSON.stringify(address)});`;
  const text = `import { test } from 'vitest';
import { isKilled, Shard } from ${worlds};
if (${condition ?? 'true'}) {
  ${load}
} else test('nothing to do', () => {});
`;
  const file = join(directory, `${name}.case.ts`);
  writeFileSync(file, text);
  return file;
}

class ByName extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
  }
}

let onEnd: ((module: TestModule, index: number) => void) | null = null;
/** One vitest for all runs: it keeps PostgreSQL and what it has transformed. */
let started: Promise<Vitest> | null = null;
let runs = 0;

function start(): Promise<Vitest> {
  const reporter: Reporter = {
    onTestModuleEnd: (module) => onEnd?.(module, Number(/([^/]+)\.case\.ts$/.exec(module.moduleId)?.[1])),
  };
  return createVitest(
    'test',
    {
      config: false,
      root,
      watch: false,
      environment: 'node',
      pool: 'forks',
      maxWorkers: workers,
      // Mocked modules are in the place of ours only where these are loaded after them.
      isolate: group.isMocking === true,
      // It is kept by the files' own text, and would pass over what is put in its place.
      fsModuleCache: false,
      runner: join(import.meta.dirname, 'warm-runner.ts'),
      include: [`${relative(root, work)}/*/*.case.ts`],
      sequence: { sequencer: ByName },
      testTimeout: patienceMs,
      hookTimeout: patienceMs,
      expect: { poll: { timeout: 20_000 } },
      globalSetup: group.isPure ? [] : ['tools/test-postgres.ts'],
      // A world in which a node is too slow is a world lost.
      env: { TEST_RPC_TIMEOUT_MS: String(patienceMs / 3) },
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
}

export async function run(cases: readonly CaseFile[], whenEnded: NonNullable<typeof onEnd>): Promise<void> {
  started ??= start();
  const vitest = await started;
  runs += 1;
  const directory = join(work, String(runs));
  rmSync(work, { recursive: true, force: true });
  mkdirSync(directory, { recursive: true });
  const files = cases.map((one, index) => writeCase(directory, String(index).padStart(6, '0'), one));
  onEnd = whenEnded;
  await vitest.runTestSpecifications(files.map((file) => vitest.getRootProject().createSpecification(file)));
}

export async function end(): Promise<void> {
  const vitest = await started;
  await vitest?.close();
  rmSync(work, { recursive: true, force: true });
}

export function reasonOf(module: TestModule): string {
  for (const test of module.children.allTests('failed'))
    return `${test.fullName}: ${test.result().errors?.[0]?.message.split('\n')[0] ?? ''}`;
  return module.errors()[0]?.message.split('\n')[0] ?? '';
}
