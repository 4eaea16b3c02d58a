import { expect, test } from 'vitest';
import { chainFamilies } from '../../../testing/chain-families.ts';
import type { BankPayeeEntry, DirectoryWallet } from './directory.ts';
import { findSaved, indexOf, walletsFor } from './find-payee.ts';

/** Which saved payee and which wallet a row means, over a directory in memory. */

const bank = (id: string, account: string): NonNullable<DirectoryWallet['bank']> => ({
  id,
  names: [`${id} Bank`],
  accounts: [account],
  isByApi: false,
});
const wallet = (id: string, asset: string, at: Partial<DirectoryWallet>): DirectoryWallet => ({
  id,
  asset,
  decimals: 2,
  chain: null,
  bank: null,
  ...at,
});
const bankPayee = (id: string, label: string, currency: string, names: string[]): BankPayeeEntry => ({
  id,
  versionId: `${id}-version`,
  label,
  name: `${label} Limited`,
  likeness: label,
  country: 'HK',
  currency,
  holder: 'enterprise',
  way: 'hk',
  details: {} as BankPayeeEntry['details'],
  names,
});

const address = '0x20EB66e3473869C412ba2F0bb6cada55D02bBD89';
const otherAddress = '0xa1b2c3d4e5f60718293a4b5c6d7e8f9012345678';
const strangers = '0xb1b2c3d4e5f60718293a4b5c6d7e8f9012345679';
const index = indexOf({
  families: chainFamilies,
  wallets: [
    wallet('usdt', 'USDT', { chain: { id: 'ethereum', name: 'Ethereum', family: 'evm' } }),
    wallet('hkd-harbour', 'HKD', { bank: bank('harbour', '123-456') }),
    wallet('hkd-island', 'HKD', { bank: bank('island', '777-888') }),
    wallet('usd', 'USD', { bank: bank('harbour', '999-000') }),
  ],
  cryptoPayees: [
    { id: 'pearl', label: 'Pearl River', chainId: 'ethereum', coin: 'USDT', address },
    { id: 'other', label: 'Other Supplies', chainId: 'ethereum', coin: 'USDT', address: otherAddress },
  ],
  bankPayees: [
    bankPayee('stationers', 'Stationers', 'HKD', ['808316163380', '388808316163380']),
    bankPayee('lessor', 'Lessor', 'USD', ['555000111']),
    bankPayee('twin-a', 'Twin', 'USD', ['111']),
    bankPayee('twin-b', 'Twin', 'USD', ['222']),
  ],
});

function found(written: Parameters<typeof findSaved>[1]): unknown {
  const wallets = walletsFor(index, written);
  if ('key' in wallets) return [wallets.column, wallets.key];
  const saved = findSaved(index, written, wallets);
  if (saved === null) return null;
  return 'key' in saved ? [saved.column, saved.key] : [saved.payee.id, saved.wallet.id];
}

test.each([
  ['a label', { payee: 'Pearl River' }, ['pearl', 'usdt']],
  ['a label in other letters and widths', { payee: ' ｐearl   RIVER ' }, ['pearl', 'usdt']],
  ['an address, in any case of its letters', { account: address.toLowerCase() }, ['pearl', 'usdt']],
  ['both, where they agree', { payee: 'Pearl River', account: address }, ['pearl', 'usdt']],
  [
    'an account with the bank’s number before it',
    { account: '388-808316163380', place: 'harbour' },
    ['stationers', 'hkd-harbour'],
  ],
  ['a bank by its name', { payee: 'Stationers', place: 'ISLAND bank' }, ['stationers', 'hkd-island']],
  ['a bank by the company’s account there', { payee: 'Stationers', place: '777888' }, ['stationers', 'hkd-island']],
  ['one of two by its account', { payee: 'Twin', account: '222' }, ['twin-b', 'usd']],
])('%s is understood', (_what, written, expected) => {
  expect(found(written)).toEqual(expected);
});

test.each([
  ['neither label nor account', {}, ['payee', 'required']],
  ['a label that is not saved', { payee: 'Stranger' }, ['payee', 'payeeUnknown']],
  [
    'a saved label over an account of no payee',
    { payee: 'Pearl River', account: strangers },
    ['account', 'payeeDiffers'],
  ],
  [
    'a saved label over the account of another payee',
    { payee: 'Pearl River', account: otherAddress },
    ['payee', 'payeeDiffers'],
  ],
  ['a label that two payees have', { payee: 'Twin' }, ['payee', 'payeeAmbiguous']],
  ['a currency that is held at two banks, without the bank', { payee: 'Stationers' }, ['place', 'placeAmbiguous']],
  ['a payee of another currency', { payee: 'Lessor', asset: 'HKD' }, ['payee', 'payeeOtherPlace']],
  ['an asset without a wallet', { payee: 'Pearl River', asset: 'EUR' }, ['asset', 'assetUnknown']],
  [
    'a bank at which the asset is not held',
    { payee: 'Lessor', asset: 'USD', place: 'island' },
    ['place', 'placeUnknown'],
  ],
])('%s is refused at its column', (_what, written, expected) => {
  expect(found(written)).toEqual(expected);
});

test('an account that no saved payee has is a new payee, whatever new name it carries', () => {
  expect(found({ account: strangers })).toBeNull();
  expect(found({ payee: 'New Supplies', account: strangers })).toBeNull();
});
