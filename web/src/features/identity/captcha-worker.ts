import { type Puzzle, solve } from './captcha-solver.ts';

/** What the worker says: how far it has come, from 0 to 1, and in the end the number that it was looking for. */
export type Progress = { share: number } | { number: number | null };

self.addEventListener('message', (event: MessageEvent<Puzzle>) => {
  const tell = (progress: Progress) => self.postMessage(progress);
  tell({ number: solve(event.data, (share) => tell({ share })) });
});
