import { HDKey } from '@scure/bip32';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressFromXpub, companyAccountPath } from './derivation.ts';
import { evmKeys } from './keys.ts';

const seed = HDKey.fromMasterSeed(Buffer.alloc(64, 7));
const derive = (path: string) => seed.derive(path);
const xpub = derive(companyAccountPath).publicExtendedKey;
const keys = evmKeys(derive);
const place = fc.tuple(fc.integer({ min: 0, max: 2 ** 31 - 1 }), fc.integer({ min: 0, max: 999_999_999 }));

test('the worker derives the address of each place from public keys, and the signer its key', () => {
  fc.assert(
    fc.property(place, ([index, ordinal]) => {
      expect(addressFromXpub(xpub, index, ordinal)).toBe(keys.company(index, ordinal).address);
    }),
    { numRuns: 25 },
  );
});

test('two places have two addresses, and a company’s account is where it always was', () => {
  fc.assert(
    fc.property(place, place, ([index, ordinal], [otherIndex, otherOrdinal]) => {
      const isSame = index === otherIndex && ordinal === otherOrdinal;
      expect(addressFromXpub(xpub, index, ordinal) === addressFromXpub(xpub, otherIndex, otherOrdinal)).toBe(isSame);
    }),
    { numRuns: 25 },
  );
  const account = derive("m/44'/60'/0'/0/5");
  expect(keys.company(5).publicKey.slice(4, 68)).toBe(
    Buffer.from(account.publicKey ?? [])
      .toString('hex')
      .slice(2),
  );
  const further = derive("m/44'/60'/0'/1/5/9");
  expect(keys.company(5, 9).publicKey.slice(4, 68)).toBe(
    Buffer.from(further.publicKey ?? [])
      .toString('hex')
      .slice(2),
  );
});
