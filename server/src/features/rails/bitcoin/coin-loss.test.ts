import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judgeAttempts, lossOf, type MissingCoin } from './coin-loss.ts';

const depth = { height: 100, confirmations: 2 };
const strangers: MissingCoin = { isOurs: false, conflicts: [], isStarved: false, lostBlock: null };
const ours: MissingCoin = { ...strangers, isOurs: true };
const at = (height: number) => ({ hash: `at ${height}`, height });

describe('a coin that no node has', () => {
  test('is gone for good where a final block contradicts what made it, and not before', () => {
    for (const coin of [strangers, ours]) {
      expect(lossOf({ ...coin, conflicts: [at(99)] }, depth)).toBeNull();
      expect(lossOf({ ...coin, conflicts: [at(99), at(98)] }, depth)).toEqual({ replacedBy: 'at 98' });
    }
  });

  test('of a stranger is given up after the depth', () => {
    expect(lossOf({ ...strangers, lostBlock: 99 }, depth)).toBeNull();
    expect(lossOf({ ...strangers, lostBlock: 98 }, depth)).toEqual({ replacedBy: null });
  });

  test('of a stranger waits for a block that contradicts it to be final', () => {
    expect(lossOf({ ...strangers, conflicts: [at(99)], lostBlock: 90 }, depth)).toBeNull();
  });

  test('of a payment of ours is never given up for its absence: its bytes are offered again', () => {
    expect(lossOf({ ...ours, lostBlock: 1 }, depth)).toBeNull();
  });

  test('is gone with a coin that its transaction spends', () => {
    expect(lossOf({ ...ours, isStarved: true }, depth)).toEqual({ replacedBy: null });
  });
});

const obstacle = fc.record({ isForGood: fc.boolean() });
test('a payment is closed only where every attempt lacks a coin for good', () => {
  fc.assert(
    fc.property(fc.array(fc.array(obstacle, { maxLength: 3 }), { minLength: 1, maxLength: 4 }), (attempts) => {
      const isImpossible = attempts.map((obstacles) => obstacles.some(({ isForGood }) => isForGood));
      const judged = judgeAttempts(attempts);
      expect(judged === 'superseded').toBe(isImpossible.every(Boolean));
      expect(judged === 'free').toBe(attempts.some(({ length }) => length === 0));
    }),
  );
});
