import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sha256 } from '../../platform/crypto/secrets.ts';
import { invariant } from '../../platform/domain-error.ts';

/**
 * The passwords that attackers try first: 49,000 out of breaches, from the package of zxcvbn's dictionaries. Read here they would
 * leave 14 to 32 MB behind, in this thread or in another. A program of its own reads them when a password is set for the first
 * time, and hands 400 KB of hashes over.
 */

export type IsCommon = (candidate: string) => boolean;

/** Bytes; the list has 400,000. */
const maxBuffer = 4_000_000;

let list: Promise<BigUint64Array> | null = null;

/** @returns whether a password, in lower case, is in the list */
export async function loadCommonPasswords(): Promise<IsCommon> {
  list ??= readList();
  const hashes = await list;
  return (candidate) => isIn(hashes, hashOf(candidate));
}

/** 64 bits: that a password is taken for one of the list by chance happens once in 10^14. */
export function hashOf(password: string): bigint {
  return sha256(password).readBigUInt64BE();
}

async function readList(): Promise<BigUint64Array> {
  try {
    const program = fileURLToPath(new URL('./print-common-passwords.ts', import.meta.url));
    // Without the environment, which holds this process's secrets.
    const { stdout } = await promisify(execFile)(process.execPath, [program], {
      encoding: 'buffer',
      maxBuffer,
      env: {},
    });
    invariant(stdout.length > 0 && stdout.length % 8 === 0, 'the list of common passwords is read');
    return new BigUint64Array(new Uint8Array(stdout).buffer);
  } catch (cause) {
    list = null;
    throw cause;
  }
}

/** The hashes are sorted. */
function isIn(hashes: BigUint64Array, hash: bigint): boolean {
  let low = 0;
  let high = hashes.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((hashes[middle] ?? 0n) < hash) low = middle + 1;
    else high = middle;
  }
  return hashes[low] === hash;
}
