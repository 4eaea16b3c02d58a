import { solveChallenge } from 'altcha-lib/v1';

/** What the page hands to this worker: find the number up to `max` whose hash with `salt` is `challenge`. */
export interface Puzzle {
  algorithm: string;
  challenge: string;
  salt: string;
  max: number;
}

self.addEventListener('message', async (event: MessageEvent<Puzzle>) => {
  const { algorithm, challenge, salt, max } = event.data;
  const { promise } = solveChallenge(challenge, salt, algorithm, max);
  const solution = await promise;
  self.postMessage(solution?.number ?? null);
});
