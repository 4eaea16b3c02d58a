import type { RunnerTask, RunnerTestCase, RunnerTestFile } from 'vitest';
import { TestRunner } from 'vitest';

/** What a case runs: the tests of one file, of one mutant or of none. */
export interface Case {
  /** Null: none, to see which mutants which tests reach. */
  mutant: string | null;
  /** Null: all of them. */
  tests: readonly string[] | null;
  /** So often may its place be reached before it counts as an endless loop. */
  hitLimit: number;
  /** So many places of the files that are mutated may be passed before it counts as one, wherever the mutant is. */
  stepLimit: number;
}

/** How often a test reached which mutant; under `''` what was reached outside of tests, which is in hooks of the file. */
export type Reached = Record<string, Record<string, number>>;

/** What instrumented code reads and writes (Stryker's instrumenter; steps are counted by what warm.ts adds to it). */
interface Instrumentation {
  activeMutant: string | undefined;
  hitCount: number;
  hitLimit: number;
  stepCount: number;
  stepLimit: number;
  currentTestId: string | undefined;
  mutantCoverage: { static: Record<string, number>; perTest: Reached };
}

declare module 'vitest' {
  interface TaskMeta {
    reached?: Reached;
  }
}

declare global {
  var __stryker__: Instrumentation;
  /** The case of the file that is being loaded; cases.ts of each sets it. */
  var mutationCase: Case | undefined;
}

globalThis.__stryker__ ??= {
  activeMutant: undefined,
  hitCount: 0,
  hitLimit: Number.POSITIVE_INFINITY,
  stepCount: 0,
  stepLimit: Number.POSITIVE_INFINITY,
  currentTestId: undefined,
  mutantCoverage: { static: {}, perTest: {} },
};

/** The names of a test and of what it is in. */
export function nameOf(task: RunnerTask): string {
  return task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name;
}

/** Whether a part of it failed. */
function hasFailed(task: RunnerTask): boolean {
  return task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed));
}

/**
 * Runs of a file the tests that reach a mutant, with the mutant switched on, until one fails. The modules of the product are loaded once for
 * all mutants: those that are read at load time are not tried.
 */
export default class WarmRunner extends TestRunner {
  #case: Case | undefined;

  onCollected(files: RunnerTestFile[]): void {
    this.#case = globalThis.mutationCase;
    globalThis.mutationCase = undefined;
    const wanted = this.#case?.tests;
    if (wanted) for (const file of files) keepOnly(file, new Set(wanted));
    const instrumentation = globalThis.__stryker__;
    instrumentation.activeMutant = this.#case?.mutant ?? undefined;
    instrumentation.hitCount = 0;
    instrumentation.hitLimit = this.#case?.hitLimit ?? Number.POSITIVE_INFINITY;
    instrumentation.stepCount = 0;
    instrumentation.stepLimit = this.#case?.stepLimit ?? Number.POSITIVE_INFINITY;
    instrumentation.mutantCoverage.perTest = {};
    instrumentation.currentTestId = 'outside of tests';
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    if (this.#case?.mutant && hasFailed(test.file)) test.mode = 'skip';
    globalThis.__stryker__.currentTestId = nameOf(test);
    await super.onBeforeRunTask(test);
  }

  override onAfterRunTask(test: RunnerTask): void {
    globalThis.__stryker__.currentTestId = 'outside of tests';
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner['onAfterRunSuite']>[0]): Promise<void> {
    if ('filepath' in suite) {
      if (this.#case?.mutant === null) suite.meta.reached = globalThis.__stryker__.mutantCoverage.perTest;
      globalThis.__stryker__.activeMutant = undefined;
      globalThis.__stryker__.currentTestId = undefined;
    }
    await super.onAfterRunSuite(suite);
  }
}

/** @returns whether something is kept */
function keepOnly(task: RunnerTask, wanted: ReadonlySet<string>): boolean {
  const isKept =
    'tasks' in task ? task.tasks.map((inner) => keepOnly(inner, wanted)).includes(true) : wanted.has(nameOf(task));
  if (!isKept) task.mode = 'skip';
  return isKept;
}
