import { invariant } from './domain-error.ts';

/** What became of one item of several: its answer, or why it was refused. */
export type Outcome<T> = { answer: T } | { refused: unknown };

/** How many travel together, and how many such groups at once. */
export interface BatchLimits {
  /** Groups under way at the same time; each holds a connection of the database. */
  connections: number;
  /** Items of a group. */
  most: number;
}

/** A third connection shortened the wait and did no more in all (docs/PERFORMANCE.md). */
export const defaultBatchLimits: BatchLimits = { connections: 2, most: 32 };

export interface Batching<I, O> extends BatchLimits {
  /** Two items that share one of these are never in one group. They may be in two groups at once, so `run` locks by them. */
  apart(item: I): readonly string[];
  /** Serves one group, in order. Where it rejects, nothing was done: each item is then served alone, unless `isHopeless`. */
  run(items: readonly I[]): Promise<readonly Outcome<O>[]>;
  /** Whether trying each alone would fail of the same. */
  isHopeless(error: unknown): boolean;
}

interface Waiting<I, O> {
  item: I;
  apart: readonly string[];
  resolve(answer: O): void;
  reject(error: unknown): void;
}

/**
 * Lets what waits while the connections are busy travel together. There is no timer: an item that nobody is ahead of leaves at the end
 * of the turn of the event loop in which it came, together with what else came in that turn.
 */
export function batching<I, O>(options: Batching<I, O>): (item: I) => Promise<O> {
  const waiting: Waiting<I, O>[] = [];
  let busy = 0;
  let isDue = false;

  const depart = () => {
    isDue = false;
    while (busy < options.connections && waiting.length > 0) {
      const group = takeGroup(waiting, options.most);
      busy += 1;
      void serve(options, group).finally(() => {
        busy -= 1;
        depart();
      });
    }
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, apart: options.apart(item), resolve, reject });
      if (isDue || busy >= options.connections) return;
      isDue = true;
      setImmediate(depart);
    });
}

/** Takes the first of those waiting and, in their order, those who may go with it. */
function takeGroup<I, O>(waiting: Waiting<I, O>[], most: number): Waiting<I, O>[] {
  const group: Waiting<I, O>[] = [];
  const left: Waiting<I, O>[] = [];
  const taken = new Set<string>();
  for (const each of waiting) {
    const goes = group.length < most && !each.apart.some((key) => taken.has(key));
    (goes ? group : left).push(each);
    // What stays behind keeps its place before those that are apart from it.
    for (const key of each.apart) taken.add(key);
  }
  waiting.splice(0, waiting.length, ...left);
  return group;
}

async function serve<I, O>(options: Batching<I, O>, group: readonly Waiting<I, O>[]): Promise<void> {
  try {
    const outcomes = await options.run(group.map(({ item }) => item));
    invariant(outcomes.length === group.length, 'a group has as many outcomes as items');
    group.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index] as Outcome<O>;
      if ('answer' in outcome) resolve(outcome.answer);
      else reject(outcome.refused);
    });
  } catch (error) {
    if (group.length === 1 || options.isHopeless(error)) {
      for (const { reject } of group) reject(error);
      return;
    }
    for (const each of group) await serve(options, [each]);
  }
}

/** Decides an item; what it throws concerns this item alone. */
export function outcomeOf<T>(decide: () => T): Outcome<T> {
  try {
    return { answer: decide() };
  } catch (refused) {
    return { refused };
  }
}
