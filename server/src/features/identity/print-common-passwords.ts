import { dictionary } from '@zxcvbn-ts/language-common';
import { hashOf } from './common-passwords.ts';

/** A program of its own: writes the hashes of the common passwords, sorted, to standard output. */
const hashes = BigUint64Array.from(dictionary['passwords-common'], hashOf).sort();
process.stdout.write(new Uint8Array(hashes.buffer));
