import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkpointKey } from '../../../platform/audit/checkpoint.ts';
import { addressFromXpub } from '../derivation.ts';
import { createKeystore, describeKeystore, openKeystore } from './keystore.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-keystore-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'keystore.json');
const passphrase = 'correct horse battery staple';

test('a keystore opens with its passphrase and signs for the addresses that its public key gives', () => {
  const made = createKeystore(file, passphrase);
  expect(describeKeystore(file, passphrase)).toEqual(made);
  const keys = openKeystore(file, passphrase);
  expect(keys.publicKeys).toEqual(made);
  for (const index of [0, 1, 77]) expect(keys.company(index).address).toBe(addressFromXpub(made.evmXpub, index));
  expect(keys.gasTank.address).toBe(made.gasTank);
  expect(checkpointKey(keys.auditSecret).publicKey.toString('base64url')).toBe(made.auditKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('one made before the audit log was signed still says its key, with the passphrase', () => {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const { auditKey, ...before } = content;
  const older = join(directory, 'older.json');
  writeFileSync(older, JSON.stringify(before));
  expect(describeKeystore(older, passphrase)).toEqual({
    evmXpub: content.evmXpub,
    gasTank: content.gasTank,
    auditKey,
  });
});

test('it is never overwritten, opens with no other passphrase, and damage shows', () => {
  expect(() => createKeystore(file, passphrase)).toThrow(/never overwritten/);
  expect(() => openKeystore(file, `${passphrase} `)).toThrow(/does not open/);
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const damaged = join(directory, 'damaged.json');
  const text = Buffer.from(content.cipher.text, 'base64');
  text[0] = (text[0] ?? 0) ^ 1;
  content.cipher.text = text.toString('base64');
  writeFileSync(damaged, JSON.stringify(content));
  expect(() => openKeystore(damaged, passphrase)).toThrow(/damaged/);
  writeFileSync(damaged, '{}');
  expect(() => openKeystore(damaged, passphrase)).toThrow(/not a keystore/);
});

test('the derivation is BIP44’s: the well-known test phrase gives its well-known addresses', () => {
  // m/44'/60'/0' of "test test … junk", as every development node derives it.
  const xpub =
    'xpub6Ce9NcJvTk36xtLSrJLZqE7wtgA5deCeYs7rSQtreh4cj6ByPtrg9sD7V2FNFLPnf8heNP3FGkeV9qwfzvZNSd54JoNXVsXFYSYwHsnJxqP';
  expect(addressFromXpub(xpub, 0)).toBe('0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266');
});
