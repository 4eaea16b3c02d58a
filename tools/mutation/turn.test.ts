import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { Turn } from './turn.ts';
import { isKilled, readOutcomes, Shard, writePlans } from './worlds.ts';

const name = 'pays once';
let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'mutation-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

function shardOf(mutants: readonly string[], mostInVain: number | null = null): Shard {
  const hits = Object.fromEntries(mutants.map((id) => [id, 1]));
  writePlans(directory, [
    { test: 'pay.test.ts', repeatable: { [name]: { ms: 1, hits, steps: 1 } }, shards: [[...mutants]] },
  ]);
  return new Shard(directory, 0, 0, mostInVain);
}

/** Runs the test until its turn is over; `results` says of each run whether it fails. @returns the mutants in the order of the runs */
function played(shard: Shard, results: (mutant: string | null, run: number) => string | null, hits = 1) {
  const turn = new Turn(shard, name, shard.queueOf(name));
  const runs: (string | null)[] = [];
  while (!turn.isOver) {
    const { mutant } = turn.next();
    runs.push(mutant);
    turn.ended(results(mutant, runs.length), mutant === null ? 0 : hits);
  }
  expect(runs.length).toBeLessThanOrEqual(2 + 2 * shard.plan.shards.flat().length);
  return { turn, runs };
}

test('a mutant is killed by a failure after which the test passes without it', () => {
  const shard = shardOf(['1', '2', '3']);
  const { runs } = played(shard, (mutant) => (mutant === '2' ? 'not paid' : null));
  expect(runs).toEqual([null, '1', '2', null, '3']);
  expect(['1', '2', '3'].map((id) => isKilled(directory, id))).toEqual([false, true, false]);
  expect(readOutcomes(directory)).toEqual([
    { kind: 'killed', mutant: '2', test: name, reason: 'not paid', file: 'pay.test.ts' },
  ]);
  expect(shard.left()).toEqual([]);
});

test('a failure in a world that is used up kills nothing, and the mutant begins the next world', () => {
  const shard = shardOf(['1', '2', '3']);
  const { turn, runs } = played(shard, (_mutant, run) => (run >= 3 ? 'no money left' : null));
  expect(runs).toEqual([null, '1', '2', null]);
  expect(turn.isSpoiled).toBe(true);
  expect(isKilled(directory, '2')).toBe(false);
  expect(shard.queueOf(name)).toEqual(['2', '3']);
  // There it fails at once: it spoils each of its worlds.
  played(shard, (mutant, run) => (mutant === '2' || run === 3 ? 'the pool has ended' : null));
  expect(isKilled(directory, '2')).toBe(true);
  expect(shard.queueOf(name)).toEqual(['3']);
});

test('a test that fails without a mutant at its beginning tries none, needs those before it, then a new process', () => {
  const shard = shardOf(['1']);
  const first = played(shard, () => 'no session');
  expect([first.runs, first.turn.needsNewProcess]).toEqual([[null], false]);
  expect(shard.progress.needsAll).toBe(true);
  expect(played(shard, () => 'no session').turn.needsNewProcess).toBe(true);
  expect(shard.queueOf(name)).toEqual(['1']);
});

test('what only the time says is noted, and spoils the world', () => {
  const shard = shardOf(['1', '2']);
  const turn = new Turn(shard, name, shard.queueOf(name));
  turn.next();
  expect(turn.limitMs).toBeUndefined();
  turn.ended(null, 0);
  turn.next();
  expect(turn.limitMs).toBeGreaterThan(1000);
  turn.overrun();
  turn.ended('timed out', 1);
  expect([turn.isOver, turn.isSpoiled]).toEqual([true, true]);
  expect(readOutcomes(directory).map(({ kind, mutant }) => [kind, mutant])).toEqual([['slow', '1']]);
  expect(shard.queueOf(name)).toEqual(['2']);
});

test('a test that passes without reaching the mutant has not tried it', () => {
  played(shardOf(['1']), () => null, 0);
  expect(readOutcomes(directory).map(({ kind, mutant }) => [kind, mutant])).toEqual([['missed', '1']]);
});

test('a test that lets many through rests until the others were tried', () => {
  const shard = shardOf(['1', '2', '3', '4'], 2);
  expect(played(shard, () => null).runs).toEqual([null, '1', '2']);
  expect(shard.left()).toEqual([]);
  shard.save();
  expect(new Shard(directory, 0, 0, null).left()).toEqual(['3', '4']);
});

test('one process at a time works on a shard', () => {
  const shard = shardOf(['1']);
  const other = new Shard(directory, 0, 0, null);
  expect([shard.take(), other.take()]).toEqual([true, false]);
  shard.release();
  expect(other.take()).toBe(true);
});
