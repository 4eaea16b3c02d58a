import { parentPort } from 'node:worker_threads';
import { dictionary } from '@zxcvbn-ts/language-common';
import { hashOf } from './common-passwords.ts';

/** Hands the hashes of the common passwords, sorted, to the thread that asked, and ends. */
const hashes = BigUint64Array.from(dictionary['passwords-common'], hashOf).sort();
parentPort?.postMessage(hashes, [hashes.buffer]);
