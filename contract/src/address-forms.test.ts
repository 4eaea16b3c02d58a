import { expect, test } from 'vitest';
import { addressTypeOf, formOf, isKnownForm, isWholeAddress, prefixLength } from './address-forms.ts';

const address = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

test('an address is whole in the form of its family alone', () => {
  expect(isWholeAddress(address)).toBe(true);
  expect(isWholeAddress(address, 'evm')).toBe(true);
  expect(isWholeAddress(address, 'utxo')).toBe(false);
  expect(isWholeAddress(address.slice(0, -1))).toBe(false);
});

test.each([
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 3, true],
  ['BCRT1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4', 5, true],
  ['tb1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3q0sl5k7', 3, true],
  ['1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', 0, false],
  ['2N1r7aC69VHeE7yQJPDLi9T1PYq4wnwvjuT', 0, false],
])('%s is Bitcoin’s', (text, prefix, ignoresCase) => {
  expect(isWholeAddress(text, 'bitcoin')).toBe(true);
  expect([prefixLength(text), formOf(text)?.ignoresCase]).toEqual([prefix, ignoresCase]);
  expect(isWholeAddress(text, 'evm')).toBe(false);
  expect(isWholeAddress(text.slice(0, 20))).toBe(false);
});

test.each(['1st Harbour Trading', 'n', '2', '3M', 'many', 'bitcoin', 'TX', ''])('a name is no address: %s', (name) => {
  expect(formOf(name)).toBeNull();
  expect(prefixLength(name)).toBe(0);
});

test('a form that is not known is no family’s', () => {
  expect(formOf('ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9')).toBeNull();
  expect([isKnownForm('evm'), isKnownForm('bitcoin'), isKnownForm('utxo')]).toEqual([true, true, false]);
});

test.each([
  ['1FsSia9rv4NeEwvJ2GvXrX7LyxYspbN2mo', 'p2pkh'],
  ['mipcBbFg9gMiCh81Kj8tqqdgoZub1ZJRfn', 'p2pkh'],
  ['3J98t1WpEZ73CNmQviecrnyiWrnqRhWNLy', 'p2sh'],
  ['2N1r7aC69VHeE7yQJPDLi9T1PYq4wnwvjuT', 'p2sh'],
  ['bc1qw508', 'segwit'],
  ['BCRT1QW508', 'segwit'],
  ['tb1p', 'taproot'],
  // Its checksum and version are for the server to refuse.
  ['bc1z', null],
  ['3J98', null],
  ['0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', null],
])('the type of %s is known as it is typed: %s', (text, type) => {
  expect(addressTypeOf(text)).toBe(type);
});
