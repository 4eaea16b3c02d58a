import { describe, expect, test } from 'vitest';
import {
  cancellableStages,
  endStatuses,
  isCancellable,
  statusAt,
  timelineNotes,
  transactionLives,
} from './transactions-lives.ts';
import { stages, transactionTypes } from './transactions-rules.ts';

describe.each(transactionTypes)('the life of %s', (type) => {
  const life = transactionLives[type];
  const { road, endsEarly, refund, twin, cancellableUntil } = life;

  test('goes through each stage once, and only its last stage ends it', () => {
    expect(new Set(road).size).toBe(road.length);
    expect(road.slice(0, -1).map(statusAt)).toEqual(road.slice(0, -1).map(() => 'pending'));
    expect(road.slice(-1).map(statusAt)).toEqual(['completed']);
  });

  test('ends otherwise at stages that are ends, and not on its road', () => {
    expect(endsEarly.filter((stage) => statusAt(stage) !== 'failed')).toEqual([]);
    expect(endsEarly.filter((stage) => road.includes(stage))).toEqual([]);
  });

  test('can be cancelled at stages of its road before the end, if at all, and has an end for that', () => {
    const cancellable = cancellableStages(type);
    expect(cancellable).toEqual(road.slice(0, cancellable.length));
    expect(cancellable.at(-1) ?? null).toBe(cancellableUntil);
    expect(cancellable.filter((stage) => statusAt(stage) !== 'pending')).toEqual([]);
    expect(endsEarly.includes('cancelled')).toBe(cancellableUntil !== null);
  });

  test('can be refused and waits for approval exactly if it is approved', () => {
    expect(road.includes('waiting_approval')).toBe(life.approvedAs !== null);
    expect(endsEarly.includes('refused')).toBe(life.approvedAs !== null);
  });

  test('has a twin that goes the other way, and gives what was held back', () => {
    for (const beside of [refund, twin]) {
      expect(beside === null || transactionLives[beside].direction !== life.direction).toBe(true);
    }
    expect(twin === null || transactionLives[twin].twin).toBe(twin === null || type);
    // What was held for a card payment comes back in its own row.
    expect(refund !== null).toBe(life.direction === 'out' && type !== 'card_payment');
  });
});

test('every stage is reached by a type, or is a note in a timeline', () => {
  const reached = new Set(
    transactionTypes.flatMap((type) => [...transactionLives[type].road, ...transactionLives[type].endsEarly]),
  );
  expect(stages.filter((stage) => !reached.has(stage))).toEqual(timelineNotes);
  expect(Object.keys(endStatuses).filter((stage) => statusAt(stage as keyof typeof endStatuses) === 'pending')).toEqual(
    [],
  );
});

test('a transfer can be cancelled until it is in the signer’s hands', () => {
  expect(isCancellable('chain_withdraw', 'approved')).toBe(true);
  expect(isCancellable('chain_withdraw', 'signing')).toBe(false);
  expect(isCancellable('chain_withdraw', 'cancelled')).toBe(false);
  expect(isCancellable('chain_deposit', 'seen')).toBe(false);
  expect(isCancellable('chain_deposit', 'approved')).toBe(false);
});
