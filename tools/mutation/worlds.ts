import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * What warm.ts and the runner in its child processes tell each other on the disk. A test file is loaded once and keeps its world (database, chain,
 * keys) while many mutants are tried in it. Its mutants are dealt to a few shards, so that several processes work on one file.
 */

/** Of a test that can be run again in one world: the mutants that it reaches each time, and how long it takes. */
export interface Repeatable {
  ms: number;
  /** Of each mutant, how often its place is reached. */
  hits: Record<string, number>;
  /** How many places of the files that are mutated it passes. */
  steps: number;
}

/** A test file with its mutants. */
export interface Plan {
  test: string;
  repeatable: Record<string, Repeatable>;
  /** The open mutants of each shard; those first that few tests reach. */
  shards: string[][];
}

/** What a shard of a test file has done. */
interface Progress {
  /** Mutants that a test has let through. */
  tried: Record<string, string[]>;
  /** The mutants that spoiled their world, each to be tried first in a new one. */
  first: Record<string, string>;
  /** Tests that let many mutants through one after the other: the others are tried first. */
  rested: string[];
  /** A test failed without a mutant at the beginning: it needs what the tests before it leave. */
  needsAll: boolean;
}

export type Outcome =
  | { kind: 'killed'; mutant: string; test: string; reason: string }
  /** The test did not end in time; only the time says so. */
  | { kind: 'slow'; mutant: string; test: string }
  /** The test passed, and did not reach the mutant in this world. */
  | { kind: 'missed'; mutant: string; test: string }
  | { kind: 'spoiled'; mutant: string | null; test: string; reason: string };

/** Tests that take longer come after all others. */
const longMs = 2000;

const noProgress: Progress = { tried: {}, first: {}, rested: [], needsAll: false };

/** The part of a test file's mutants that one process at a time works on. */
export class Shard {
  readonly #directory: string;
  readonly #name: string;
  readonly plan: Plan;
  readonly mostInVain: number | null;
  readonly #own: readonly string[];
  progress: Progress;

  /** @param mostInVain so many mutants in a row may a test let through before it rests; null: none rests, and long ones run, too */
  constructor(directory: string, file: number, shard: number, mostInVain: number | null) {
    this.mostInVain = mostInVain;
    this.#directory = directory;
    this.#name = `${file}-${shard}`;
    this.plan = JSON.parse(readFileSync(planFile(directory, file), 'utf8')) as Plan;
    this.#own = this.plan.shards[shard] ?? [];
    this.progress = existsSync(this.#file('progress'))
      ? (JSON.parse(readFileSync(this.#file('progress'), 'utf8')) as Progress)
      : structuredClone(noProgress);
  }

  #file(kind: string): string {
    return join(this.#directory, `${this.#name}.${kind}`);
  }

  /** The mutants that the test is still to be tried on; the one that spoiled an earlier world first. */
  queueOf(test: string): string[] {
    const { hits = {}, ms = 0 } = this.plan.repeatable[test] ?? {};
    if (this.mostInVain !== null && (ms > longMs || this.progress.rested.includes(test))) return [];
    const tried = new Set(this.progress.tried[test]);
    const first = this.progress.first[test];
    const open = this.#own.filter((id) => hits[id] !== undefined && !tried.has(id) && !isKilled(this.#directory, id));
    return first !== undefined && open.includes(first) ? [first, ...open.filter((id) => id !== first)] : open;
  }

  hasWork(): boolean {
    return this.left().length > 0;
  }

  /** The mutants that a test is still to be tried on. */
  left(): string[] {
    return Object.keys(this.plan.repeatable).flatMap((test) => this.queueOf(test));
  }

  /** @returns false where another process works on it, or this one has been found to be spoiled */
  take(): boolean {
    if (existsSync(staleFile(this.#directory))) return false;
    try {
      writeFileSync(this.#file('lock'), String(process.pid), { flag: 'wx' });
      return true;
    } catch {
      return false;
    }
  }

  release(): void {
    this.save();
    rmSync(this.#file('lock'), { force: true });
  }

  save(): void {
    writeFileSync(this.#file('progress'), JSON.stringify(this.progress));
  }

  letThrough(test: string, mutant: string): void {
    this.progress.tried[test] = [...(this.progress.tried[test] ?? []), mutant];
    delete this.progress.first[test];
  }

  report(outcome: Outcome): void {
    if (outcome.kind === 'killed') writeFileSync(join(this.#directory, 'killed', outcome.mutant), '');
    appendFileSync(
      join(this.#directory, 'outcomes.jsonl'),
      `${JSON.stringify({ ...outcome, file: this.plan.test })}\n`,
    );
  }
}

const planFile = (directory: string, file: number) => join(directory, `${file}.plan`);
const staleFile = (directory: string) => join(directory, `stale-${process.pid}`);

/** Even a new world does not work in this process any more: a mutant left something behind in it. */
export function giveProcessUp(directory: string): void {
  writeFileSync(staleFile(directory), '');
}

export const isKilled = (directory: string, mutant: string) => existsSync(join(directory, 'killed', mutant));

export function writePlans(directory: string, plans: readonly Plan[]): void {
  rmSync(directory, { recursive: true, force: true });
  mkdirSync(join(directory, 'killed'), { recursive: true });
  for (const [file, plan] of plans.entries()) writeFileSync(planFile(directory, file), JSON.stringify(plan));
}

/** A process that was killed leaves its locks. */
export function removeLocks(directory: string, plans: readonly Plan[]): void {
  for (const [file, { shards }] of plans.entries())
    for (const shard of shards.keys()) rmSync(join(directory, `${file}-${shard}.lock`), { force: true });
}

export function readOutcomes(directory: string): (Outcome & { file: string })[] {
  const file = join(directory, 'outcomes.jsonl');
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => JSON.parse(line) as Outcome & { file: string });
}
