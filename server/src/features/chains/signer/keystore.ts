import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type ScryptOptions, scryptSync } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { HDKey } from '@scure/bip32';
import { generateMnemonic, mnemonicToSeedSync } from '@scure/bip39';
import { wordlist } from '@scure/bip39/wordlists/english.js';
import type { Address } from 'viem';
import * as z from 'zod';
import { checkpointKey } from '../../../platform/audit/checkpoint.ts';
import { ConfigError } from '../../../platform/config/config.ts';
import { evmPublicKeys } from '../evm/keys.ts';
import type { Derive, KeyFamily } from './family.ts';

/**
 * The keystore: one BIP39 phrase of 24 words, encrypted with AES-256-GCM under a key that scrypt makes of the
 * passphrase. The file and the passphrase together are the backup of every company's money.
 */

/** What it takes to try one passphrase, as parameters of scrypt (RFC 7914): about 128·N·r bytes. */
export interface KeystoreCost {
  N: number;
  r: number;
  p: number;
}

/** Interactive-login strength times eight: about 128 MB and a quarter of a second at each start. */
const scryptCost: KeystoreCost = { N: 2 ** 17, r: 8, p: 1 };
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
  /** Keystores made before coins were exchanged do not name it. */
  treasury: z.string().optional(),
  /** Keystores made before the audit log was signed do not name it. */
  auditKey: z.string().optional(),
  /** By family, of those that the program knew when it made the keystore. EVM's are the two above. */
  families: z.record(z.string(), z.record(z.string(), z.string())).optional(),
});
type KeystoreFile = z.output<typeof fileSchema>;

/** What may be known outside the signer. */
export interface PublicKeys {
  evmXpub: string;
  gasTank: Address;
  treasury: Address;
  /** With which the audit log's checkpoints are verified: Ed25519, base64url. */
  auditKey: string;
  /** Those of further families, by the family's name; left out where there is none. */
  families?: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

/**
 * Makes a keystore with a new phrase. Never overwrites a file. Each names the cost it was made with and opens by that; a lower
 * one than the default is for keys that protect nothing.
 * @throws ConfigError
 */
export function createKeystore(
  file: string,
  passphrase: string,
  families: readonly KeyFamily[] = [],
  cost: KeystoreCost = scryptCost,
): PublicKeys {
  return writeKeystore({ file, passphrase, cost }, generateMnemonic(wordlist, 256), families);
}

/**
 * Writes the phrase of a keystore into a new one under another passphrase; the first stays as it is.
 * @throws ConfigError when the first does not open, or the new file exists
 */
export function rewrapKeystore(
  from: { file: string; passphrase: string },
  to: { file: string; passphrase: string },
  families: readonly KeyFamily[] = [],
): PublicKeys {
  const phrase = decryptPhrase(from.file, readKeystore(from.file), from.passphrase);
  return writeKeystore({ ...to, cost: scryptCost }, phrase, families);
}

function writeKeystore(
  { file, passphrase, cost }: { file: string; passphrase: string; cost: KeystoreCost },
  phrase: string,
  families: readonly KeyFamily[],
): PublicKeys {
  const publicKeys = keysOf(phrase, families).publicKeys;
  const salt = randomBytes(saltBytes);
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv('aes-256-gcm', keyOf(passphrase, salt, cost), nonce);
  const text = Buffer.concat([cipher.update(phrase, 'utf8'), cipher.final()]);
  const content: KeystoreFile = {
    version: 1,
    kdf: { name: 'scrypt', salt: salt.toString('base64'), ...cost },
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
  /** The keys of the families, each under a hardened path of its own. */
  derive: Derive;
  /** The secret of the Ed25519 key that signs the audit log's checkpoints. */
  auditSecret: Buffer;
}

/**
 * Opens a keystore: the passphrase decrypts it, and its keys are derived and compared with the public ones that it names.
 * @throws ConfigError when the file is damaged or the passphrase is wrong
 */
export function openKeystore(file: string, passphrase: string, families: readonly KeyFamily[] = []): Keys {
  const content = readKeystore(file);
  const keys = keysOf(decryptPhrase(file, content, passphrase), families);
  const { evmXpub, gasTank, treasury, auditKey } = keys.publicKeys;
  const matches =
    evmXpub === content.evmXpub &&
    gasTank === content.gasTank &&
    treasury === (content.treasury ?? treasury) &&
    auditKey === (content.auditKey ?? auditKey);
  if (!matches || !familiesMatch(content, keys.publicKeys))
    throw new ConfigError(`${file} is damaged: its keys do not match`);
  return keys;
}

/** A keystore does not name the families that came after it. */
function familiesMatch(content: KeystoreFile, { families = {} }: PublicKeys): boolean {
  return Object.entries(families).every(([family, publicKeys]) => {
    const named = content.families?.[family];
    return named === undefined || Object.entries(publicKeys).every(([name, key]) => named[name] === key);
  });
}

function decryptPhrase(file: string, { kdf, cipher }: KeystoreFile, passphrase: string): string {
  const key = keyOf(passphrase, Buffer.from(kdf.salt, 'base64'), { N: kdf.N, r: kdf.r, p: kdf.p });
  const decipher = createDecipheriv('aes-256-gcm', key, Buffer.from(cipher.nonce, 'base64'));
  decipher.setAuthTag(Buffer.from(cipher.tag, 'base64'));
  try {
    return Buffer.concat([decipher.update(Buffer.from(cipher.text, 'base64')), decipher.final()]).toString('utf8');
  } catch {
    throw new ConfigError(`${file} does not open with this passphrase, or it is damaged`);
  }
}

/** What of a keystore may be known outside the signer, read off the opened keystore. @throws ConfigError */
export function describeKeystore(file: string, passphrase: string, families: readonly KeyFamily[] = []): PublicKeys {
  return openKeystore(file, passphrase, families).publicKeys;
}

/**
 * Refuses a keystore that another user could read: the passphrase would be all that protects it.
 * @throws ConfigError
 */
export function refuseExposedKeystore(file: string): void {
  const found = statSync(file, { throwIfNoEntry: false });
  if (!found) throw new ConfigError(`KEYSTORE_FILE: ${file} does not exist`);
  const mode = found.mode & 0o777;
  if ((mode & 0o077) !== 0) {
    throw new ConfigError(
      `KEYSTORE_FILE: ${file} can be used by other users (mode ${mode.toString(8)}); give it to the signer's user alone: chmod 600 ${file}`,
    );
  }
  const uid = process.getuid?.();
  if (uid !== undefined && found.uid !== uid && found.uid !== 0) {
    throw new ConfigError(
      `KEYSTORE_FILE: ${file} belongs to another user; give it to the signer's: chown ${uid} ${file}`,
    );
  }
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

function keysOf(phrase: string, families: readonly KeyFamily[]): Keys {
  const seed = mnemonicToSeedSync(phrase);
  const root = HDKey.fromMasterSeed(seed);
  const derive: Derive = (path) => root.derive(path);
  // A key of its own, from which nothing of the chains' keys follows (HKDF-SHA-256, RFC 5869).
  const auditSecret = Buffer.from(hkdfSync('sha256', seed, '', 'causeway/audit-checkpoint/1', 32));
  const further = families.map((family) => [family.name, family.publicKeysOf(derive)] as const);
  return {
    publicKeys: {
      ...evmPublicKeys(derive),
      auditKey: checkpointKey(auditSecret).publicKey.toString('base64url'),
      ...(further.length === 0 ? {} : { families: Object.fromEntries(further) }),
    },
    auditSecret,
    derive,
  };
}
