import type { Direction } from '../messages/values.ts';

/** Minor units with a sign: what came in is positive. */
export function signedMinor(minor: bigint, direction: Direction): bigint {
  return direction === 'credit' ? minor : -minor;
}
