/** Numbers by chance that a seed brings back: mulberry32, 32 bits of state, which is plenty for choosing moments. */
export interface Chance {
  /** At least 0 and less than 1. */
  next(): number;
  /** A whole number from 0 to `count` - 1. */
  below(count: number): number;
  pick<T>(items: readonly T[]): T;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  const below = (count: number): number => Math.floor(next() * count);
  return {
    next,
    below,
    pick(items) {
      const item = items[below(items.length)];
      if (item === undefined) throw new Error('nothing to choose from');
      return item;
    },
  };
}

/** The seed of this run: `PROOF_SEED` to repeat one, otherwise a new one. The test that uses it prints it. */
export function seedOfRun(): number {
  const { PROOF_SEED } = process.env;
  return PROOF_SEED === undefined ? Math.floor(Math.random() * 2 ** 32) : Number(PROOF_SEED);
}

/** Whether this is `npm run proof`: the long version of what `npm test` runs. */
export const isProof = process.env['PROOF_ROUNDS'] !== undefined;

/** How many times the usual amount of work is done: `PROOF_ROUNDS`, default 1. */
export function roundsOfRun(): number {
  const rounds = Number(process.env['PROOF_ROUNDS'] ?? 1);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error('PROOF_ROUNDS wants a whole number from 1');
  return rounds;
}
