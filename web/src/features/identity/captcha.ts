import { getCaptcha } from 'virtual:calls/identity';
import { ApiError } from '../../lib/api-error.ts';
import { send } from '../../lib/client.ts';
import type { Puzzle } from './captcha-worker.ts';

/** Fetches a proof-of-work challenge and solves it off the page's own thread; answers ALTCHA's payload, base64. */
async function solveCaptcha(): Promise<string> {
  const { algorithm, challenge, maxnumber, salt, signature } = await send(getCaptcha, {});
  const number = await search({ algorithm, challenge, salt, max: maxnumber });
  return btoa(JSON.stringify({ algorithm, challenge, number, salt, signature }));
}

/**
 * Runs `use` with a solved captcha. A solution can have run out while somebody looked for the right address: then one
 * more is solved.
 */
export async function withCaptcha<Result>(use: (captcha: string) => Promise<Result>): Promise<Result> {
  try {
    return await use(await solveCaptcha());
  } catch (error) {
    if (!(error instanceof ApiError && error.key === 'captchaFailed')) throw error;
    return use(await solveCaptcha());
  }
}

function search(puzzle: Puzzle): Promise<number> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url), { type: 'module' });
  return new Promise<number>((resolve, reject) => {
    worker.addEventListener('message', (event: MessageEvent<number | null>) => {
      if (event.data === null) reject(new Error('the captcha has no solution'));
      else resolve(event.data);
    });
    worker.addEventListener('error', (event) => reject(new Error(`the captcha's worker failed: ${event.message}`)));
    worker.postMessage(puzzle);
  }).finally(() => worker.terminate());
}
