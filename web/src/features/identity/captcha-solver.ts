import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** A proof of work (ALTCHA's first format): find the number up to `max` whose SHA-256 with `salt` is `challenge`. */
export interface Puzzle {
  challenge: string;
  salt: string;
  max: number;
}

/** A few times a second, on slow phones too. */
const reportEvery = 10_000;

/**
 * Tries the numbers in turn. Synchronous, for a worker: the browser's own digest is asynchronous, which costs several times the
 * hash itself.
 * @param report called with the share of the numbers that were tried
 * @returns null when no number fits
 */
export function solve({ challenge, salt, max }: Puzzle, report: (share: number) => void): number | null {
  for (let number = 0; number <= max; number++) {
    if (number > 0 && number % reportEvery === 0) report(number / max);
    if (bytesToHex(sha256(utf8ToBytes(`${salt}${number}`))) === challenge) return number;
  }
  return null;
}
