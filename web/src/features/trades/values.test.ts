import { expect, test } from 'vitest';
import { checkContent, lackingOf, overpaidOf, payable } from './values.ts';

const trade = {
  decimals: 6,
  quantity: '1000.000000',
  refunded: '100.000000',
  paid: '200.000000',
  paying: '50.000000',
  frozen: '650.000000',
  available: '0.500000',
};

test('what is missing to freeze a trade’s amount', () => {
  expect(lackingOf(trade)).toBe('999.500000');
  expect(lackingOf({ ...trade, available: '1000' })).toBeNull();
  expect(lackingOf({ ...trade, available: null })).toBe('1000.000000');
});

test('what was paid too much is what was paid and refunded beyond the amount', () => {
  expect(overpaidOf(trade)).toBeNull();
  expect(overpaidOf({ ...trade, paid: '900' })).toBeNull();
  expect(overpaidOf({ ...trade, paid: '1800' })).toBe('900.000000');
  expect(overpaidOf({ ...trade, paid: null, refunded: '1000' })).toBeNull();
});

test('what can still be paid is what was neither paid nor refunded, and a payment of more is refused', () => {
  expect(payable(trade)).toBe('650.000000');
  const check = (amount: string, fee: string | null, also = {}) => {
    const checked = checkContent({ amount, milestoneId: '' }, { ...trade, ...also }, fee);
    return checked.ok ? checked.values : checked.problems[0]?.message;
  };
  expect(check('650', '0.5')).toEqual({ amount: '650', milestoneId: null, fee: '0.5' });
  expect(check('650.000001', '0.5')).toBe('trades.release.tooMuch');
  expect(check('', '0.5')).toBe('field.required');
  expect(check('0', '0.5')).toBe('field.required');
  expect(check('10', null)).toBe('trades.release.feeUnknown');
  // The fee comes out of what is available, and so does what a failed payment gave back.
  expect(check('650', '1')).toBe('trades.release.feeNotCovered');
  expect(check('650', '0.5', { frozen: '600' })).toBe('trades.release.feeNotCovered');
  expect(check('650', '0.5', { frozen: '600', available: '50.5' })).toMatchObject({ amount: '650' });
});
