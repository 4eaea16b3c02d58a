import { DomainError, invariant } from './domain-error.ts';

/** What became of one item of several: its answer, or why it was refused. */
export type Outcome<T> = { answer: T } | { refused: unknown };

export interface BatchLimits {
  /** Batches under way at the same time; each holds a connection of the database. */
  connections: number;
  /** Items of a batch. */
  maxSize: number;
}

export const defaultBatchLimits: BatchLimits = { connections: 2, maxSize: 32 };

export interface Batching<I, O> extends BatchLimits {
  /** Two items that share one of these are never served at the same time: the later waits for the earlier. */
  conflictKeys?(item: I): readonly string[];
  /** Whose locks an item may have to wait for. Of one owner, items that are served alone go one after another. */
  owner?(item: I): string;
  /**
   * Serves a batch, in order. Where it rejects, nothing was done: each of several items is then served alone, unless `failsForAll`.
   * `isAlone`: one item, beside the batches, which may wait for locks as long as it takes.
   */
  run(items: readonly I[], isAlone: boolean): Promise<readonly Outcome<O>[]>;
  /** Whether each item alone would fail of the same. */
  failsForAll(error: unknown): boolean;
  /** Whether a batch was given up since it waited for a lock: then a single item, too, is served alone. */
  isHeldUp?(error: unknown): boolean;
}

/** Items that are served alone at the same time, beside the batches. */
const aloneAtOnce = 4;
/** As long as a request waits for a connection of the pool. */
const patienceMs = 10_000;
const maxWaiting = 10_000;

interface Waiting<I, O> {
  item: I;
  since: number;
  keys: readonly string[];
  owner: string;
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Serves items that wait while the connections are busy together, in batches. There is no timer: an item for which a connection is free
 * is served at the end of the turn of the event loop in which it came, together with what else came in that turn.
 * @returns asks for one item; rejects with DomainError unavailable what waits too long, or behind too many
 */
export function batching<I, O>(options: Batching<I, O>): (item: I) => Promise<O> {
  const queue = new Queue<I, O>(options);
  return (item) => queue.ask(item);
}

class Queue<I, O> {
  readonly #options: Batching<I, O>;
  #waiting: Waiting<I, O>[] = [];
  /** Of batches that failed: to be served alone. */
  #aside: Waiting<I, O>[] = [];
  #batches = 0;
  readonly #keys = new Set<string>();
  readonly #alone = new Set<string>();
  #isScheduled = false;

  constructor(options: Batching<I, O>) {
    this.#options = options;
  }

  ask(item: I): Promise<O> {
    const { conflictKeys, owner } = this.#options;
    return new Promise((resolve, reject) => {
      if (this.#waiting.length >= maxWaiting) return reject(new DomainError('unavailable'));
      const keys = conflictKeys?.(item) ?? [];
      this.#waiting.push({ item, since: performance.now(), keys, owner: owner?.(item) ?? '', resolve, reject });
      if (this.#isScheduled) return;
      this.#isScheduled = true;
      setImmediate(() => this.#dispatch());
    });
  }

  #dispatch(): void {
    this.#isScheduled = false;
    this.#giveUpOld();
    while (this.#batches < this.#options.connections) {
      const batch = this.#takeBatch();
      if (batch.length === 0) break;
      this.#batches += 1;
      void this.#serve(batch, false).finally(() => {
        this.#batches -= 1;
        this.#dispatch();
      });
    }
    while (this.#alone.size < aloneAtOnce) {
      const next = this.#aside.find(({ owner }) => !this.#alone.has(owner));
      if (!next) break;
      this.#aside = this.#aside.filter((each) => each !== next);
      this.#alone.add(next.owner);
      void this.#serve([next], true).finally(() => {
        this.#alone.delete(next.owner);
        this.#dispatch();
      });
    }
  }

  /** During an outage connections come back slowly, and callers have left meanwhile. */
  #giveUpOld(): void {
    const limit = performance.now() - patienceMs;
    const give = (all: Waiting<I, O>[]) => {
      if (!all.some(({ since }) => since < limit)) return all;
      for (const { since, reject } of all) if (since < limit) reject(new DomainError('unavailable'));
      return all.filter(({ since }) => since >= limit);
    };
    this.#waiting = give(this.#waiting);
    this.#aside = give(this.#aside);
  }

  /** The first of those waiting and, in their order, those who may be served with it. The others keep their places. */
  #takeBatch(): Waiting<I, O>[] {
    if (this.#waiting.length === 0) return [];
    const batch: Waiting<I, O>[] = [];
    const left: Waiting<I, O>[] = [];
    const taken = new Set(this.#keys);
    const heldUp = new Set([...this.#alone, ...this.#aside.map(({ owner }) => owner)]);
    for (const each of this.#waiting) {
      const isFree = !heldUp.has(each.owner) && !each.keys.some((key) => taken.has(key));
      (isFree && batch.length < this.#options.maxSize ? batch : left).push(each);
      for (const key of each.keys) taken.add(key);
    }
    this.#waiting = left;
    return batch;
  }

  async #serve(batch: readonly Waiting<I, O>[], isAlone: boolean): Promise<void> {
    const keys = batch.flatMap((each) => each.keys);
    for (const key of keys) this.#keys.add(key);
    try {
      const outcomes = await this.#options.run(
        batch.map(({ item }) => item),
        isAlone,
      );
      invariant(outcomes.length === batch.length, 'a batch has as many outcomes as items');
      batch.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index] as Outcome<O>;
        if ('answer' in outcome) resolve(outcome.answer);
        else reject(outcome.refused);
      });
    } catch (error) {
      if (!isAlone && this.#mayPassAlone(batch, error)) this.#aside.push(...batch);
      else for (const { reject } of batch) reject(error);
    } finally {
      for (const key of keys) this.#keys.delete(key);
    }
  }

  #mayPassAlone(batch: readonly Waiting<I, O>[], error: unknown): boolean {
    const { failsForAll, isHeldUp } = this.#options;
    return isHeldUp?.(error) || (batch.length > 1 && !failsForAll(error));
  }
}

/** Decides an item; a rule that refuses it concerns this item alone. */
export function outcomeOf<T>(decide: () => T): Outcome<T> {
  try {
    return { answer: decide() };
  } catch (refused) {
    if (refused instanceof DomainError) return { refused };
    throw refused;
  }
}
