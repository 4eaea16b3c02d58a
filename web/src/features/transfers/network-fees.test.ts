import type { NetworkFeeOption } from '@causeway/contract/transfers.ts';
import type { FeeLevel } from '@causeway/contract/transfers-rules.ts';
import { expect, test } from 'vitest';
import { ApiError } from '../../lib/api-error.ts';
import { feeProblemOf, type NetworkFees, pickFees, rateLine } from './network-fees.ts';

const option = (level: FeeLevel, amount: string, fee: string): NetworkFeeOption => ({
  level,
  amount,
  fee,
  networkFee: fee,
  feeRate: '1.000',
  vsize: 141,
  feeUsd: null,
  debited: amount,
  expectedSeconds: 600,
});
const wholes = [option('economy', '0.90000000', '0.00000100'), option('normal', '0.80000000', '0.00000200')];
const exacts = [option('economy', '0.50000000', '0.00000150'), option('normal', '0.50000000', '0.00000250')];

test('an amount has the fees that were answered for it', () => {
  expect(pickFees({ wholes, exacts }, '0.50000000', 'normal')).toEqual({
    isAll: false,
    options: exacts,
    chosen: exacts[1],
  });
});

test('what is all that can be sent at the level has the fees of everything, and stays behind nothing that was asked for an amount', () => {
  expect(pickFees({ wholes, exacts }, '0.80000000', 'normal')).toEqual({
    isAll: true,
    options: wholes,
    chosen: wholes[1],
  });
  // All that can be sent at another level is an amount like others.
  expect(pickFees({ wholes, exacts }, '0.80000000', 'economy')).toMatchObject({ isAll: false, chosen: exacts[0] });
});

test('without an amount, and before it is answered, rates are known and no fee is chosen', () => {
  const general = { isAll: false, options: wholes, chosen: null };
  expect(pickFees({ wholes, exacts }, null, 'normal')).toEqual(general);
  expect(pickFees({ wholes, exacts: [] }, '0.50000000', 'normal')).toEqual(general);
});

test('the amount says why its fee is not known', () => {
  const failed = (key: string) => ({ error: new ApiError({ key, status: 409 }) }) as NetworkFees;
  expect(feeProblemOf(failed('tooManyCoins'))).toBe('transfers.fee.problem.tooManyCoins');
  expect(feeProblemOf(failed('amountAboveBalanceMinusFee'))).toBe('transfers.form.aboveBalance');
  expect(feeProblemOf(failed('networkFeeUnknown'))).toBe('transfers.fee.problem.unknown');
  expect(feeProblemOf(null)).toBeNull();
  expect(feeProblemOf({ error: null } as NetworkFees)).toBeNull();
});

test('a rate has no zeros that say nothing', () => {
  expect(['12.000', '1.500', '0.125', '10', '100.010'].map(rateLine)).toEqual(['12', '1.5', '0.125', '10', '100.01']);
});
