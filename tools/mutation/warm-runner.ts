import type { RunnerTask, RunnerTestCase, RunnerTestFile, TestTryOptions } from 'vitest';
import { TestRunner } from 'vitest';
import { Turn } from './turn.ts';
import { giveProcessUp, Shard } from './worlds.ts';

/** What a loaded test file is for. */
export type Case =
  /** No mutant: which mutants which tests reach, twice in a row where a test can be run again. */
  | { kind: 'reach'; once: readonly string[] }
  /** Many mutants in one world: worlds.ts. */
  | { kind: 'shard'; directory: string; file: number; shard: number; mostInVain: number | null }
  /** One mutant in a world of its own. */
  | {
      kind: 'apart';
      /** Null: none, to see whether something was left behind. */
      mutant: string | null;
      /** Null: all of them. */
      tests: readonly string[] | null;
      /** So often may its place be reached before it counts as an endless loop. */
      hitLimit: number;
      /** So many places of the files that are mutated may be passed before it counts as one, wherever the mutant is. */
      stepLimit: number;
    };

/** How often a test reached which mutant. */
export type Hits = Record<string, number>;

export interface Reached {
  /** Outside of tests, which is in hooks of the file. */
  inHooks: Hits;
  /** Of each test its runs. */
  tests: Record<string, { isPassed: boolean; ms: number; hits: Hits }[]>;
}

/** What instrumented code reads and writes (Stryker's instrumenter; steps are counted by what mutants.ts adds to it). */
interface Instrumentation {
  activeMutant: string | undefined;
  hitCount: number;
  hitLimit: number;
  stepCount: number;
  stepLimit: number;
  currentTestId: string | undefined;
  mutantCoverage: { static: Hits; perTest: Record<string, Hits> };
}

declare module 'vitest' {
  interface TaskMeta {
    reached?: Reached;
  }
}

declare global {
  var __stryker__: Instrumentation;
  /** The case of the file that is being loaded; the case files set it. */
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

function activate(mutant: string | null, hitLimit = Number.POSITIVE_INFINITY, stepLimit = Number.POSITIVE_INFINITY) {
  Object.assign(globalThis.__stryker__, { hitCount: 0, hitLimit, stepCount: 0, stepLimit });
  globalThis.__stryker__.activeMutant = mutant ?? undefined;
}

/** The names of a test and of what it is in. */
export function nameOf(task: RunnerTask): string {
  return task.suite ? `${nameOf(task.suite)} > ${task.name}` : task.name;
}

/** Whether a part of it failed. */
function hasFailed(task: RunnerTask): boolean {
  return task.result?.state === 'fail' || ('tasks' in task && task.tasks.some(hasFailed));
}

const outside = 'outside of tests';
const timesReached = 2;
// Before a test can put other ones in their place.
const { setTimeout: wait, clearTimeout: stopWaiting } = globalThis;

/** Runs a test file as its case says. The modules of the product are loaded once for all mutants: those that are read at load time are not tried. */
export default class WarmRunner extends TestRunner {
  #case: Case | undefined;
  #shard: Shard | undefined;
  #turn: Turn | undefined;
  #isSpoiled = false;
  #reached: Reached = { inHooks: {}, tests: {} };
  #begun = 0;

  onCollected(files: RunnerTestFile[]): void {
    const one = globalThis.mutationCase;
    globalThis.mutationCase = undefined;
    this.#case = one;
    this.#shard = one?.kind === 'shard' ? new Shard(one.directory, one.file, one.shard, one.mostInVain) : undefined;
    this.#isSpoiled = false;
    this.#reached = { inHooks: {}, tests: {} };
    globalThis.__stryker__.mutantCoverage.perTest = {};
    globalThis.__stryker__.currentTestId = outside;
    if (one?.kind === 'apart') {
      if (one.tests) for (const file of files) keepOnly(file, new Set(one.tests));
      activate(one.mutant, one.hitLimit, one.stepLimit);
    } else activate(null);
  }

  override async onBeforeRunTask(test: RunnerTestCase): Promise<void> {
    const one = this.#case;
    const name = nameOf(test);
    globalThis.__stryker__.currentTestId = name;
    this.#turn = undefined;
    if (one?.kind === 'apart' && one.mutant !== null && hasFailed(test.file)) test.mode = 'skip';
    if (one?.kind === 'reach' && test.mode !== 'skip') test.repeats = one.once.includes(name) ? 0 : timesReached - 1;
    if (this.#shard && test.mode !== 'skip') {
      const queue = this.#shard.queueOf(name);
      if (this.#isSpoiled || (queue.length === 0 && !this.#shard.progress.needsAll)) test.mode = 'skip';
      else {
        this.#turn = new Turn(this.#shard, name, queue);
        test.repeats = this.#turn.mostRuns - 1;
      }
    }
    await super.onBeforeRunTask(test);
  }

  override onBeforeTryTask(test: RunnerTestCase, options: TestTryOptions): void {
    super.onBeforeTryTask(test, options);
    this.#begun = performance.now();
    if (this.#case?.kind === 'reach') {
      globalThis.__stryker__.mutantCoverage.perTest[nameOf(test)] = {};
      return;
    }
    if (!this.#turn) return;
    // Throws, which ends the runs of this test.
    if (this.#turn.isOver) test.context.skip();
    const { mutant, hitLimit, stepLimit } = this.#turn.next();
    activate(mutant, hitLimit, stepLimit);
  }

  /** A test that waits for what a mutant keeps from happening ends long before the patience of all tests does. */
  async runTask(test: RunnerTestCase): Promise<void> {
    const work = TestRunner.getTestFn(test);
    const { limitMs } = this.#turn ?? {};
    if (limitMs === undefined) return work();
    let timer: ReturnType<typeof setTimeout> | undefined;
    const limit = new Promise<never>((_, reject) => {
      timer = wait(() => {
        this.#turn?.overrun();
        reject(new Error(`timed out after ${limitMs} ms`));
      }, limitMs);
    });
    try {
      await Promise.race([work(), limit]);
    } finally {
      stopWaiting(timer);
    }
  }

  override async onAfterRetryTask(test: RunnerTestCase, options: TestTryOptions): Promise<void> {
    await super.onAfterRetryTask(test, options);
    const isFailed = test.result?.state === 'fail';
    if (this.#case?.kind === 'reach') {
      const name = nameOf(test);
      const hits = globalThis.__stryker__.mutantCoverage.perTest[name] ?? {};
      const ms = Math.round(performance.now() - this.#begun);
      this.#reached.tests[name] = [...(this.#reached.tests[name] ?? []), { isPassed: !isFailed, ms, hits }];
      return;
    }
    const turn = this.#turn;
    if (!turn || turn.isOver) return;
    const { hitCount } = globalThis.__stryker__;
    activate(null);
    turn.ended(isFailed ? (test.result?.errors?.at(-1)?.message ?? 'failed') : null, hitCount);
    if (turn.isSpoiled) this.#isSpoiled = true;
    if (turn.needsNewProcess && this.#case?.kind === 'shard') giveProcessUp(this.#case.directory);
    if (test.result) Object.assign(test.result, { state: 'run', errors: undefined });
  }

  override onAfterRunTask(test: RunnerTask): void {
    globalThis.__stryker__.currentTestId = outside;
    this.#turn = undefined;
    this.#shard?.save();
    super.onAfterRunTask(test);
  }

  override async onAfterRunSuite(suite: Parameters<TestRunner['onAfterRunSuite']>[0]): Promise<void> {
    if ('filepath' in suite) {
      this.#reached.inHooks = globalThis.__stryker__.mutantCoverage.perTest[outside] ?? {};
      if (this.#case?.kind === 'reach') suite.meta.reached = this.#reached;
      this.#shard?.release();
      activate(null);
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
