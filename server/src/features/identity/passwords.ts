import { randomBytes } from 'node:crypto';
import { hash, verify } from '@node-rs/argon2';
import { compactDecrypt, importJWK, type JWK } from 'jose';
import { DomainError } from '../../platform/domain-error.ts';

/** Opens the passwords that browsers encrypt, and hashes and compares them. */
export interface Passwords {
  /** The public key for browsers, as JWK. */
  publicKey: JWK;
  /** @throws DomainError passwordUndecipherable when it was not encrypted to this key. */
  decrypt(jwe: string): Promise<string>;
  /** argon2id, PHC string. @throws DomainError unavailable when too many wait. */
  hash(password: string): Promise<string>;
  /** Null compares with a hash that nothing matches, and takes as long. */
  matches(hash: string | null, password: string): Promise<boolean>;
}

/** What it takes to try one password, as parameters of argon2id (RFC 9106), the library's default; the memory in KiB. */
export interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** OWASP Password Storage Cheat Sheet: 19 MiB, 2 passes, 1 lane. */
const usualCost: PasswordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashing runs on the thread pool (4 threads), which files and name look-ups need as well. */
const hashesAtOnce = 2;
const hashesWaiting = 200;

/** @param previousJwks keys that a rotation has replaced: passwords encrypted to them are still opened */
export async function createPasswords(
  privateJwk: Record<string, unknown>,
  previousJwks: readonly Record<string, unknown>[] = [],
  cost: PasswordCost = usualCost,
): Promise<Passwords> {
  const privateKeys = await Promise.all(
    [privateJwk, ...previousJwks].map((jwk) => importJWK(jwk as JWK, 'RSA-OAEP-256')),
  );
  const { kty, n, e } = privateJwk as JWK;
  if (kty !== 'RSA' || !n || !e) throw new Error('PASSWORD_KEY is not an RSA key');
  const queue = limited(hashesAtOnce, hashesWaiting);
  const dummy = await hash(randomBytes(32), cost);
  return {
    publicKey: { kty, n, e, use: 'enc', alg: 'RSA-OAEP-256' },
    async decrypt(jwe) {
      for (const privateKey of privateKeys) {
        try {
          const { plaintext } = await compactDecrypt(jwe, privateKey, {
            keyManagementAlgorithms: ['RSA-OAEP-256'],
            contentEncryptionAlgorithms: ['A256GCM'],
          });
          return new TextDecoder('utf-8', { fatal: true }).decode(plaintext);
        } catch {
          // Encrypted to another of the keys, or to none.
        }
      }
      throw new DomainError('passwordUndecipherable');
    },
    hash: (password) => queue(() => hash(normal(password), cost)),
    matches: (known, password) =>
      queue(async () => {
        const equal = await verify(known ?? dummy, normal(password));
        return known !== null && equal;
      }),
  };
}

/** The same characters, however a keyboard composed them (NIST SP 800-63B-4, section 3.1.1.2). */
function normal(password: string): string {
  return password.normalize('NFKC');
}

/** Runs at most `width` of the given works at a time; past `waiting` in line it refuses. */
function limited(width: number, waiting: number): <T>(work: () => Promise<T>) => Promise<T> {
  let running = 0;
  const line: (() => void)[] = [];
  return async (work) => {
    if (running >= width) {
      if (line.length >= waiting) throw new DomainError('unavailable');
      // A finished task hands its slot over, so `running` is unchanged.
      await new Promise<void>((resolve) => line.push(resolve));
    } else {
      running++;
    }
    try {
      return await work();
    } finally {
      const next = line.shift();
      if (next) next();
      else running--;
    }
  };
}
