import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { invariant } from '../../platform/domain-error.ts';
import { sha256 } from '../../platform/secrets.ts';

/**
 * The passwords that attackers try first: 49,000 out of breaches, from the package of zxcvbn's dictionaries. As text they would take
 * 17 MB of an idle process. A worker thread reads them when a password is set for the first time, and leaves 400 KB of hashes.
 */

export type IsCommon = (candidate: string) => boolean;

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
    const worker = new Worker(new URL('./common-passwords-worker.ts', import.meta.url));
    const [hashes]: unknown[] = await once(worker, 'message');
    invariant(hashes instanceof BigUint64Array && hashes.length > 0, 'the list of common passwords is read');
    return hashes;
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
