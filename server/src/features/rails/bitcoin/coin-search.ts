import { createHash } from 'node:crypto';

/** The searches behind coin selection: over amounts alone, each bounded in time. */

/** How many steps branch and bound takes before it gives up. */
const mostTries = 20_000;

interface Window {
  target: bigint;
  /** A sum may exceed the target by so much. */
  excess: bigint;
  mostPicked: number;
}

/**
 * Branch and bound, as Bitcoin Core's: positions of values whose sum is the target or least above it, within the excess.
 * @param values in descending order
 * @returns null when no such set was found
 */
export function matching(values: readonly bigint[], { target, excess, mostPicked }: Window): number[] | null {
  const rest = suffixSums(values);
  const afterEqual = positionsAfterEqual(values);
  const picked: number[] = [];
  let best: number[] | null = null;
  let most = target + excess;
  let sum = 0n;
  let next = 0;
  for (let tries = 0; tries < mostTries; tries += 1) {
    const isReached = sum >= target && sum <= most;
    if (isReached) {
      best = [...picked];
      if (sum === target) return best;
      // From here on only a better sum counts.
      most = sum - 1n;
    }
    const isHopeless = sum > most || sum + (rest[next] ?? 0n) < target || picked.length >= mostPicked;
    const value = values[next];
    if (isReached || isHopeless || value === undefined) {
      const last = picked.pop();
      if (last === undefined) return best;
      sum -= values[last] ?? 0n;
      // An equal value in its place would give the same sums.
      next = afterEqual[last] ?? values.length;
    } else {
      picked.push(next);
      sum += value;
      next += 1;
    }
  }
  return best;
}

function suffixSums(values: readonly bigint[]): bigint[] {
  const sums = [...values, 0n];
  for (let index = values.length - 1; index >= 0; index -= 1)
    sums[index] = (values[index] ?? 0n) + (sums[index + 1] ?? 0n);
  sums[values.length] = 0n;
  return sums;
}

/** For each position the next one with another value. */
function positionsAfterEqual(values: readonly bigint[]): number[] {
  const positions: number[] = new Array(values.length).fill(values.length);
  for (let index = values.length - 2; index >= 0; index -= 1) {
    positions[index] = values[index] === values[index + 1] ? (positions[index + 1] ?? values.length) : index + 1;
  }
  return positions;
}

/** The items in an order that the seed gives: the same for the same seed and items. */
export function shuffled<T>(items: readonly T[], seed: string): T[] {
  const below = seededNumbers(seed);
  const order = [...items];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = below(last + 1);
    const [a, b] = [order[last] as T, order[other] as T];
    order[last] = b;
    order[other] = a;
  }
  return order;
}

/** Whole numbers below a bound, from SHA-256 of the seed and a counter. */
function seededNumbers(seed: string): (bound: number) => number {
  let counter = 0;
  return (bound) => {
    counter += 1;
    return createHash('sha256').update(`${seed}/${counter}`).digest().readUIntBE(0, 6) % bound;
  };
}
