import { setImmediate } from 'node:timers/promises';

/**
 * Work on thousands of rows at once, cut so that other requests of the process are served in between: what takes a second without a pause makes
 * every page that is open wait a second.
 */

/** Rows that are worked on without a pause: some tens of milliseconds. */
export const turnSize = 250;

/** At least one slice, which may be empty. */
export function* slices<T>(items: readonly T[], size = turnSize): Generator<readonly T[]> {
  let from = 0;
  do {
    yield items.slice(from, from + size);
    from += size;
  } while (from < items.length);
}

/** Lets what else waits for the event loop go first. */
export async function pause(): Promise<void> {
  await setImmediate();
}

/**
 * Takes the results of statements that were issued together, in their order: each while the database works on those after it.
 * Rejects with the first that fails.
 */
export async function asTheyCome<T>(
  statements: readonly Promise<T>[],
  take: (result: T, place: number) => Promise<void>,
): Promise<void> {
  // Those behind one that fails are refused too, and not waited for.
  for (const statement of statements) statement.catch(() => undefined);
  for (const [place, statement] of statements.entries()) {
    await take(await statement, place);
    await pause();
  }
}

/** Takes what an iterable gives, with a pause after each. */
export async function inTurns<T>(items: Iterable<T>, take: (item: T) => void): Promise<void> {
  for (const item of items) {
    take(item);
    await pause();
  }
}
