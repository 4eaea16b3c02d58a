import type { Shard } from './worlds.ts';

/** How many times as long as without a mutant a test may take, and how long at least. */
const timesAsLong = 20;
const leastLimitMs = 15_000;
/** A kill is believed of a world that is spoiled after it only where the test had run in it so often. */
const freshRuns = 2;
/** After so many mutants that a test let through it is run without one. */
const controlEvery = 25;

/** What is run next. */
export interface Run {
  mutant: string | null;
  hitLimit: number;
  stepLimit: number;
}

/**
 * One test, run again and again in one world: first without a mutant, then with one mutant after the other. After each failure it is run without
 * one: if it passes, the mutant was killed; if it fails, the mutant spoiled the world, or the world was used up, and the mutant is tried again
 * first in a new one. There, directly after a run without a mutant, its failure is its own.
 */
export class Turn {
  readonly #shard: Shard;
  readonly #test: string;
  readonly #queue: string[];
  readonly #hits: Record<string, number>;
  readonly #steps: number;
  readonly #ms: number;
  #current: string | null = null;
  #failed: { mutant: string; reason: string; isFresh: boolean } | null = null;
  #runs = 0;
  #sinceControl = 0;
  #inVain = 0;
  #isOverrun = false;
  isOver = false;
  isSpoiled = false;
  needsNewProcess = false;

  constructor(shard: Shard, test: string, queue: readonly string[]) {
    this.#shard = shard;
    this.#test = test;
    this.#queue = [...queue];
    const { hits, steps, ms } = shard.plan.repeatable[test] ?? { hits: {}, steps: 0, ms: 0 };
    [this.#hits, this.#steps, this.#ms] = [hits, steps, ms];
  }

  /** Each mutant may need a run without one after it. */
  get mostRuns(): number {
    return this.#queue.length === 0 ? 1 : 2 + 2 * this.#queue.length;
  }

  /** Undefined without a mutant: then the patience of all tests holds. */
  get limitMs(): number | undefined {
    return this.#current === null ? undefined : Math.max(leastLimitMs, timesAsLong * this.#ms);
  }

  next(): Run {
    this.#isOverrun = false;
    const isControl = this.#runs === 0 || this.#failed !== null || this.#sinceControl >= controlEvery;
    this.#current = isControl ? null : (this.#queue.shift() ?? null);
    this.#runs += 1;
    const hits = this.#hits[this.#current ?? ''] ?? 0;
    return { mutant: this.#current, hitLimit: 1000 + 100 * hits, stepLimit: 1_000_000 + 100 * this.#steps };
  }

  overrun(): void {
    this.#isOverrun = true;
  }

  /** @param failure the reason; null: it passed */
  ended(failure: string | null, hits: number): void {
    if (this.#current === null) this.#endControl(failure);
    else this.#endMutant(this.#current, failure, hits);
    if (this.#queue.length === 0 && this.#failed === null) this.isOver = true;
    if (this.isSpoiled) this.isOver = true;
    const { mostInVain, progress } = this.#shard;
    if (mostInVain === null || this.#inVain < mostInVain || this.isOver) return;
    progress.rested.push(this.#test);
    this.isOver = true;
  }

  #endMutant(mutant: string, failure: string | null, hits: number): void {
    const isFresh = this.#sinceControl === 0 && this.#runs <= freshRuns;
    this.#sinceControl += 1;
    if (this.#isOverrun) {
      // What waits goes on in the background.
      this.#shard.letThrough(this.#test, mutant);
      this.#shard.report({ kind: 'slow', mutant, test: this.#test });
      this.isSpoiled = true;
    } else if (failure !== null) this.#failed = { mutant, reason: failure.split('\n')[0] ?? '', isFresh };
    else {
      this.#shard.letThrough(this.#test, mutant);
      this.#inVain += 1;
      if (hits === 0) this.#shard.report({ kind: 'missed', mutant, test: this.#test });
    }
  }

  #endControl(failure: string | null): void {
    const failed = this.#failed;
    this.#failed = null;
    this.#sinceControl = 0;
    if (failed && (failure === null || failed.isFresh)) {
      this.#shard.report({ kind: 'killed', mutant: failed.mutant, test: this.#test, reason: failed.reason });
      delete this.#shard.progress.first[this.#test];
      this.#inVain = 0;
    }
    if (failure === null) return;
    this.isSpoiled = true;
    const reason = failure.split('\n')[0] ?? '';
    this.#shard.report({ kind: 'spoiled', mutant: failed?.mutant ?? null, test: this.#test, reason });
    if (failed && !failed.isFresh) this.#shard.progress.first[this.#test] = failed.mutant;
    if (this.#runs > 1) return;
    // Not even once: it needs the tests before it, or this process does not work any more.
    if (this.#shard.progress.needsAll) this.needsNewProcess = true;
    this.#shard.progress.needsAll = true;
  }
}
