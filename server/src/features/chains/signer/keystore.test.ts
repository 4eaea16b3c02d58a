import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { checkpointKey } from '../../../platform/audit/checkpoint.ts';
import { keystoreCost } from '../../../testing/keystore.ts';
import { bitcoinKeyFamily } from '../bitcoin/keys.ts';
import { addressFromXpub } from '../evm/derivation.ts';
import { evmKeys } from '../evm/keys.ts';
import type { KeyFamily } from './family.ts';
import { createKeystore, describeKeystore, openKeystore, refuseExposedKeystore, rewrapKeystore } from './keystore.ts';
import { verifyKeystore } from './keystore-verification.ts';

const directory = mkdtempSync(join(tmpdir(), 'causeway-keystore-'));
afterAll(() => rmSync(directory, { recursive: true }));
const file = join(directory, 'keystore.json');
const passphrase = 'correct horse battery staple';

const strong = { name: 'scrypt', salt: expect.any(String), N: 2 ** 17, r: 8, p: 1 };
const costOf = (of: string): unknown => JSON.parse(readFileSync(of, 'utf8')).kdf;

test('a keystore opens with its passphrase and signs for the addresses that its public key gives', () => {
  const made = createKeystore(file, passphrase, [], keystoreCost);
  expect(describeKeystore(file, passphrase)).toEqual(made);
  const keys = openKeystore(file, passphrase);
  expect(keys.publicKeys).toEqual(made);
  const { company, gasTank, treasury } = evmKeys(keys.derive);
  for (const index of [0, 1, 77]) expect(company(index).address).toBe(addressFromXpub(made.evmXpub, index));
  expect(gasTank.address).toBe(made.gasTank);
  expect(treasury.address).toBe(made.treasury);
  expect(new Set([treasury.address, gasTank.address, company(0).address]).size).toBe(3);
  expect(checkpointKey(keys.auditSecret).publicKey.toString('base64url')).toBe(made.auditKey);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('deriving a key takes 128 MB of memory by default', () => {
  const usual = join(directory, 'usual.json');
  const made = createKeystore(usual, passphrase);
  expect(costOf(usual)).toEqual(strong);
  expect(describeKeystore(usual, passphrase)).toEqual(made);
  expect(costOf(file)).toEqual({ ...strong, N: 2 ** 10 });
});

test('one made before the audit log was signed and coins were exchanged still says its keys, with the passphrase', () => {
  const content = JSON.parse(readFileSync(file, 'utf8'));
  const { auditKey, treasury, ...before } = content;
  const older = join(directory, 'older.json');
  writeFileSync(older, JSON.stringify(before));
  expect(describeKeystore(older, passphrase)).toEqual({
    evmXpub: content.evmXpub,
    gasTank: content.gasTank,
    treasury,
    auditKey,
  });
});

test('it is never overwritten, opens with no other passphrase, and damage shows', () => {
  expect(() => createKeystore(file, passphrase, [], keystoreCost)).toThrow(/never overwritten/);
  for (const open of [openKeystore, describeKeystore]) {
    expect(() => open(file, `${passphrase} `)).toThrow(/does not open/);
  }
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

test('a copy is tested without a server: it opens, derives its addresses, and is this installation’s', () => {
  const copy = join(directory, 'copy.json');
  copyFileSync(file, copy);
  const { evmXpub, gasTank, treasury } = describeKeystore(file, passphrase);
  expect(verifyKeystore(copy, passphrase, { evmXpub, gasTank, treasury })).toEqual({
    isGood: true,
    sentences: [
      `${copy} opens with this passphrase.`,
      'The keys in it sign for the addresses that its public keys give.',
      'EVM_XPUB is the one of this copy.',
      'EVM_GAS_TANK is the one of this copy.',
      'EVM_TREASURY is the one of this copy.',
    ],
  });
  expect(() => verifyKeystore(copy, 'another passphrase', { evmXpub, gasTank, treasury })).toThrow(/does not open/);

  const other = createKeystore(join(directory, 'other.json'), passphrase, [], keystoreCost);
  const verdict = verifyKeystore(copy, passphrase, other);
  expect(verdict.isGood).toBe(false);
  expect(verdict.sentences.join(' ')).toMatch(/EVM_XPUB is NOT .*EVM_GAS_TANK is NOT .*EVM_TREASURY is NOT /);
  // Where nothing is recorded, the sentences say what was not compared.
  const alone = verifyKeystore(copy, passphrase, { evmXpub: undefined, gasTank: undefined, treasury: undefined });
  expect(alone.isGood).toBe(true);
  expect(alone.sentences.join(' ')).toContain(
    `EVM_GAS_TANK is not set here, so it was not compared; this copy gives ${gasTank}`,
  );

  const changed = JSON.parse(readFileSync(copy, 'utf8'));
  writeFileSync(copy, JSON.stringify({ ...changed, gasTank: other.gasTank }));
  expect(() => verifyKeystore(copy, passphrase, { evmXpub, gasTank, treasury })).toThrow(/damaged/);
});

test('Bitcoin’s keys in a copy are tested where they are recorded, whichever its network', () => {
  const made = describeKeystore(file, passphrase, [bitcoinKeyFamily]);
  const { evmXpub, gasTank, treasury } = made;
  const of = made.families?.['bitcoin'] ?? {};
  const verify = (bitcoinXpub?: string, bitcoinTreasury?: string) =>
    verifyKeystore(file, passphrase, { evmXpub, gasTank, treasury, bitcoinXpub, bitcoinTreasury });
  for (const [xpub, address] of [
    [of['xpub'], of['treasury']],
    [of['testXpub'], of['testTreasury']],
    [of['testXpub'], of['regtestTreasury']],
  ]) {
    const { isGood, sentences } = verify(xpub, address);
    expect(isGood).toBe(true);
    expect(sentences.slice(-2)).toEqual(['BITCOIN_XPUB is one of this copy.', 'BITCOIN_TREASURY is one of this copy.']);
  }
  const wrong = verify(evmXpub, gasTank);
  expect(wrong.isGood).toBe(false);
  expect(wrong.sentences.join(' ')).toMatch(/BITCOIN_XPUB is NOT one of this copy.*BITCOIN_TREASURY is NOT one/);
});

test('a new passphrase gives a new file with the same keys; the old pair still opens', () => {
  const to = { file: join(directory, 'rewrapped.json'), passphrase: 'another horse battery staple' };
  expect(() => rewrapKeystore({ file, passphrase: 'wrong' }, to)).toThrow(/does not open/);
  expect(rewrapKeystore({ file, passphrase }, to)).toEqual(describeKeystore(file, passphrase));
  // However little the old passphrase took.
  expect(costOf(to.file)).toEqual(strong);
  const [before, after] = [openKeystore(file, passphrase), openKeystore(to.file, to.passphrase)];
  expect(evmKeys(after.derive).company(7).address).toBe(evmKeys(before.derive).company(7).address);
  expect(after.auditSecret).toEqual(before.auditSecret);
  expect(() => openKeystore(to.file, passphrase)).toThrow(/does not open/);
  expect(() => rewrapKeystore({ file, passphrase }, to)).toThrow(/never overwritten/);
});

test('a keystore that other users could read is refused', () => {
  const exposed = join(directory, 'exposed.json');
  copyFileSync(file, exposed);
  for (const mode of [0o640, 0o604, 0o620]) {
    chmodSync(exposed, mode);
    expect(() => refuseExposedKeystore(exposed)).toThrow(/can be used by other users .*chmod 600/);
  }
  for (const mode of [0o600, 0o400]) {
    chmodSync(exposed, mode);
    expect(() => refuseExposedKeystore(exposed)).not.toThrow();
  }
  expect(() => refuseExposedKeystore(join(directory, 'none.json'))).toThrow(/does not exist/);
});

test('public keys of further families are named beside the others, and compared where the file names them', () => {
  const lake: KeyFamily = {
    name: 'lake',
    publicKeysOf: (derive) => ({ xpub: derive("m/84'/0'/0'").publicExtendedKey }),
  };
  const to = join(directory, 'families.json');
  const made = createKeystore(to, passphrase, [lake], keystoreCost);
  expect(made.families).toEqual({ lake: { xpub: expect.stringMatching(/^xpub/) } });
  expect(made.families?.['lake']?.['xpub']).not.toBe(made.evmXpub);
  expect(JSON.parse(readFileSync(to, 'utf8')).families).toEqual(made.families);
  expect(describeKeystore(to, passphrase, [lake])).toEqual(made);
  // A program without the family opens it too, and one with it opens a keystore from before.
  expect(describeKeystore(to, passphrase)).toEqual({ ...made, families: undefined });
  expect(describeKeystore(file, passphrase, [lake]).families).toEqual({ lake: { xpub: expect.any(String) } });
  const content = JSON.parse(readFileSync(to, 'utf8'));
  writeFileSync(to, JSON.stringify({ ...content, families: { lake: { xpub: made.evmXpub } } }));
  expect(() => openKeystore(to, passphrase, [lake])).toThrow(/damaged/);
});
