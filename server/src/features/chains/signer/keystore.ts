import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type ScryptOptions, scryptSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, writeSync } from 'node:fs';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Address } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import * as z from 'zod';
import { checkpointKey } from '../../../platform/audit/checkpoint.ts';
import { ConfigError } from '../../../platform/config.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { addressOf, companyAccountPath, gasTankPath } from '../derivation.ts';

/**
 * The keystore: one BIP39 phrase of 24 words, encrypted with AES-256-GCM under a key that scrypt makes of the
 * passphrase. The file and the passphrase together are the backup of every company's money.
 */

/** Interactive-login strength times eight: about 128 MB and a quarter of a second at each start. */
const scryptCost = { N: 2 ** 17, r: 8, p: 1 };
const saltBytes = 32;
const keyBytes = 32;
const nonceBytes = 12;

const base64 = z.base64();
const fileSchema = z.object({
  version: z.literal(1),
  kdf: z.object({
    name: z.literal('scrypt'),
    salt: base64,
    N: z
      .number()
      .int()
      .max(2 ** 20),
    r: z.number().int().max(32),
    p: z.number().int().max(16),
  }),
  cipher: z.object({ name: z.literal('aes-256-gcm'), nonce: base64, tag: base64, text: base64 }),
  evmXpub: z.string(),
  gasTank: z.string(),
  /** Keystores made before the audit log was signed do not name it. */
  auditKey: z.string().optional(),
});
type KeystoreFile = z.output<typeof fileSchema>;

/** What may be known outside the signer. */
export interface PublicKeys {
  evmXpub: string;
  gasTank: Address;
  /** With which the audit log's checkpoints are verified: Ed25519, base64url. */
  auditKey: string;
}

/** Makes a keystore with a new phrase. Never overwrites a file. @throws ConfigError */
export function createKeystore(file: string, passphrase: string): PublicKeys {
  const phrase = generateMnemonic(wordlist, 256);
  const publicKeys = keysOf(phrase).publicKeys;
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt, scryptCost), nonce);
  const text = Buffer.concat([cipher.update(phrase, 'utf8'), cipher.final()]);
  const content: KeystoreFile = {
    version: 1,
    kdf: { name: 'scrypt', salt: salt.toString('base64'), ...scryptCost },
    cipher: {
      name: 'aes-256-gcm',
      nonce: nonce.toString('base64'),
      tag: cipher.getAuthTag().toString('base64'),
      text: text.toString('base64'),
    },
    ...publicKeys,
  };
  writeNew(file, `${JSON.stringify(content, null, 2)}\n`);
  return publicKeys;
}

function writeNew(file: string, text: string): void {
  let descriptor: number;
  try {
    descriptor = openSync(file, 'wx', 0o600);
  } catch (error) {
    const exists = error instanceof Error && 'code' in error && error.code === 'EEXIST';
    throw new ConfigError(
      exists
        ? `${file} exists already; a keystore is never overwritten`
        : `${file} cannot be written: ${String(error)}`,
    );
  }
  writeSync(descriptor, text);
  fsyncSync(descriptor);
  closeSync(descriptor);
}

/** The keys of an opened keystore. */
export interface Keys {
  publicKeys: PublicKeys;
  /** The account of a company's index. */
  company(index: number): PrivateKeyAccount;
  gasTank: PrivateKeyAccount;
  /** The secret of the Ed25519 key that signs the audit log's checkpoints. */
  auditSecret: Buffer;
}

/** @throws ConfigError when the file is damaged or the passphrase is wrong */
export function openKeystore(file: string, passphrase: string): Keys {
  const content = readKeystore(file);
  const { kdf, cipher } = content;
  const key = keyOf(passphrase, Buffer.from(kdf.salt, 'base64'), { N: kdf.N, r: kdf.r, p: kdf.p });
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.nonce, 'base64'));
  decipher.setAuthTag(Buffer.from(cipher.tag, 'base64'));
  let phrase: string;
  try {
    phrase = Buffer.concat([decipher.update(Buffer.from(cipher.text, 'base64')), decipher.final()]).toString('utf8');
  } catch {
    throw new ConfigError(`${file} does not open with this passphrase, or it is damaged`);
  }
  const keys = keysOf(phrase);
  const { evmXpub, auditKey } = keys.publicKeys;
  if (evmXpub !== content.evmXpub || auditKey !== (content.auditKey ?? auditKey)) {
    throw new ConfigError(`${file} is damaged: its keys do not match`);
  }
  return keys;
}

/** The public part of a keystore; the passphrase serves those that do not name the audit key. @throws ConfigError */
export function describeKeystore(file: string, passphrase: string): PublicKeys {
  const { evmXpub, gasTank, auditKey } = readKeystore(file);
  if (auditKey === undefined) return openKeystore(file, passphrase).publicKeys;
  return { evmXpub, gasTank: gasTank as Address, auditKey };
}

function readKeystore(file: string): KeystoreFile {
  let content: unknown;
  try {
    content = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    throw new ConfigError(`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const parsed = fileSchema.safeParse(content);
  if (!parsed.success) throw new ConfigError(`${file} is not a keystore`);
  return parsed.data;
}

function keyOf(passphrase: string, salt: Buffer, cost: ScryptOptions): Buffer {
  const { N = 0, r = 0 } = cost;
  return scryptSync(passphrase.normalize('NFKC'), salt, keyBytes, { ...cost, maxmem: 256 * N * r });
}

function keysOf(phrase: string): Keys {
  const seed = mnemonicToSeedSync(phrase);
  const root = HDKey.fromMasterSeed(seed);
  const account = root.derive(companyAccountPath);
  const tank = root.derive(gasTankPath);
  // A key of its own, from which nothing of the chains' keys follows (HKDF-SHA-256, RFC 5869).
  const auditSecret = Buffer.from(hkdfSync('sha256', seed, '', 'causeway/audit-checkpoint/1', 32));
  return {
    publicKeys: {
      evmXpub: account.publicExtendedKey,
      gasTank: addressOf(tank),
      auditKey: checkpointKey(auditSecret).publicKey.toString('base64url'),
    },
    auditSecret,
    company: (index) => signingAccount(account.deriveChild(0).deriveChild(index)),
    gasTank: signingAccount(tank),
  };
}

function signingAccount(key: HDKey): PrivateKeyAccount {
  invariant(key.privateKey, 'a key derived from the seed can sign');
  return privateKeyToAccount(`0x${Buffer.from(key.privateKey).toString('hex')}`);
}
