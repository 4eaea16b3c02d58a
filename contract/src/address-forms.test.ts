import { expect, test } from 'vitest';
import { formOf, isKnownForm, isWholeAddress } from './address-forms.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('an address is whole in the form of its family alone', () => {
  expect(isWholeAddress(address)).toBe(true);
  expect(isWholeAddress(address, 'evm')).toBe(true);
  expect(isWholeAddress(address, 'utxo')).toBe(false);
  expect(isWholeAddress(address.slice(0, -1))).toBe(false);
});

test('a form that is not known is no family’s', () => {
  expect(formOf('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7k')).toBeNull();
  expect(isWholeAddress('tb1qw508d6qejxtdg4y5r3zarvary0c5xw7k')).toBe(false);
  expect([isKnownForm('evm'), isKnownForm('utxo')]).toEqual([true, false]);
});
