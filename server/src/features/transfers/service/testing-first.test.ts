import { describe, expect, test } from 'vitest';
import { DomainError } from '../../../platform/domain-error.ts';
import { refusal } from '../../ledger/index.ts';
import { checkTied } from './testing-first.ts';

const transfer = { walletId: 'wallet', payeeId: 'payee', amountMinor: 5n, testTotalMinor: null, restOf: null };
const rest = { ...transfer, restOf: 'test' };
const arrived = { walletId: 'wallet', payeeId: 'payee', amountMinor: 1n, stage: 'completed', restSent: false } as const;

const failureOf = (work: () => void): unknown => {
  try {
    work();
  } catch (error) {
    return error;
  }
  return null;
};

test('a transfer that is neither a test nor the rest of one is tied to nothing', () => {
  expect(() => checkTied(transfer, null)).not.toThrow();
});

test('a test is less than the whole', () => {
  const tooSmall = refusal('testTotalTooSmall', {}, 'testTotal');
  expect(failureOf(() => checkTied({ ...transfer, testTotalMinor: 4n }, null))).toEqual(tooSmall);
  expect(failureOf(() => checkTied({ ...transfer, testTotalMinor: 5n }, null))).toEqual(tooSmall);
  expect(failureOf(() => checkTied({ ...transfer, testTotalMinor: 6n }, null))).toBeNull();
});

describe('the rest of a test', () => {
  test('goes once the test has arrived, and can be a test again', () => {
    expect(failureOf(() => checkTied(rest, arrived))).toBeNull();
    expect(failureOf(() => checkTied({ ...rest, testTotalMinor: 6n }, arrived))).toBeNull();
  });

  test.each([
    ['notFound', null],
    ['testOfAnother', { ...arrived, walletId: 'another' }],
    ['testOfAnother', { ...arrived, payeeId: 'another' }],
    ['testOfAnother', { ...arrived, walletId: 'another', stage: 'confirming' }],
    ['testNotArrived', { ...arrived, stage: 'confirming' }],
    ['testNotArrived', { ...arrived, stage: 'failed' }],
    ['testRestSent', { ...arrived, restSent: true }],
  ] as const)('is refused as %s where the test is %o', (key, found) => {
    expect(failureOf(() => checkTied(rest, found))).toEqual(new DomainError(key));
  });
});
