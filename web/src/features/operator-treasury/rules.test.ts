import { expect, test } from 'vitest';
import type { Checked } from '../../ui/form-state.ts';
import { checkAddress, checkCollect, checkThreshold } from './rules.ts';
import { inShort } from './words.ts';

const problems = (checked: Checked<unknown>) =>
  checked.ok ? {} : Object.fromEntries(checked.problems.map(({ path, message }) => [path.join('.'), message]));

const address = {
  chainId: 'ethereum',
  address: ' 0xA ',
  again: '0xA',
  label: ' Cold wallet ',
  reason: 'New custodian',
};

test('an address is written twice the same, with a name and a reason', () => {
  expect(checkAddress(address)).toMatchObject({ values: { address: '0xA', label: 'Cold wallet' } });
  expect(problems(checkAddress({ ...address, again: '0xB' }))).toEqual({ again: 'ops.rule.addressAgain' });
  expect(problems(checkAddress({ ...address, label: 'x'.repeat(61) }))).toEqual({ label: 'field.tooLong' });
  expect(problems(checkAddress({ ...address, chainId: '', reason: ' ' }))).toEqual({
    chainId: 'field.required',
    reason: 'field.required',
  });
});

test('a collection has an address and a minimum in plain digits', () => {
  const values = { addressId: 'a', minimum: ' 0.5 ', reason: 'Month end' };
  expect(checkCollect(values)).toMatchObject({ values: { minimum: '0.5' } });
  for (const minimum of ['', '-1', '1,000', '1e3']) {
    expect(problems(checkCollect({ ...values, minimum }))).toEqual({ minimum: 'field.amount' });
  }
  expect(problems(checkCollect({ ...values, addressId: '' }))).toEqual({ addressId: 'field.required' });
});

test('the thresholds of a gas tank are whole numbers, and it stops below its warning', () => {
  const values = { warnDays: '7', warnPayments: ' 20 ', stopPayments: '0', reason: 'Busy month' };
  expect(checkThreshold(values)).toMatchObject({
    values: { warnDays: 7, warnPayments: 20, stopPayments: 0, reason: 'Busy month' },
  });
  for (const wrong of [
    { warnDays: '0' },
    { warnDays: '366' },
    { warnPayments: '1.5' },
    { stopPayments: '-1' },
    { stopPayments: '20' },
  ]) {
    expect(Object.keys(problems(checkThreshold({ ...values, ...wrong })))).toEqual(Object.keys(wrong));
  }
  expect(problems(checkThreshold({ ...values, stopPayments: '20' }))).toEqual({
    stopPayments: 'field.stopBelowWarning',
  });
});

test.each([
  ['0.000000397962319020', '0.00000039'],
  ['12.500000', '12.5'],
  ['3.000000', '3'],
  ['7', '7'],
])('%s is said as %s', (amount, said) => {
  expect(inShort(amount, 8)).toBe(said);
});
