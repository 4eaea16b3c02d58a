import { ApiError } from '../../lib/api-error.ts';
import type { Puzzle } from './captcha-solver.ts';
import type { Progress } from './captcha-worker.ts';

/** Is given the share of the work that is done, from 0 to 1, and null when it is over. */
export type WatchWork = (share: number | null) => void;

/** A challenge of proof of work as the server makes it (ALTCHA). */
interface Challenge {
  algorithm: string;
  challenge: string;
  maxnumber: number;
  salt: string;
  signature: string;
}

/** Solves a challenge in a worker; returns ALTCHA's payload, base64. */
async function solve(make: () => Promise<Challenge>, watch: WatchWork): Promise<string> {
  const { algorithm, challenge, maxnumber, salt, signature } = await make();
  const number = await search({ challenge, salt, max: maxnumber }, watch).finally(() => watch(null));
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}

/**
 * Runs `use` with a challenge solved. A solution can have run out, or become too small, while the user looked for the right address:
 * then one more is solved.
 */
export async function withWork<Result>(
  make: () => Promise<Challenge>,
  watch: WatchWork,
  use: (captcha: string) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(await solve(make, watch));
  } catch (error) {
    if (!(error instanceof ApiError && error.key === 'captchaFailed')) throw error;
    return use(await solve(make, watch));
  }
}

function search(puzzle: Puzzle, watch: WatchWork): Promise<number> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Progress>) => {
      if ('share' in data) watch(data.share);
      else if (data.number === null) reject(new Error('the captcha has no solution'));
      else resolve(data.number);
    });
    worker.addEventListener('error', (event) => reject(new Error(`the captcha's worker failed: ${event.message}`)));
    worker.postMessage(puzzle);
  }).finally(() => worker.terminate());
}
