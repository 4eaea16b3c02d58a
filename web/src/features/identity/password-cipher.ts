import { getPasswordKey } from 'virtual:calls/identity';
import type { JWK } from 'jose';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { importJWK } from 'jose/key/import';
import { ApiError } from '../../lib/api-error.ts';
import { send } from '../../lib/client.ts';

const alg = 'RSA-OAEP-256';
const enc = 'A256GCM';

interface PasswordKey {
  jwk: JWK;
  /** The longest password that the server takes, in code points. */
  maxLength: number;
}

let pending: Promise<PasswordKey> | null = null;

/** The server's key and password rule; asked for once, and again after a failure. */
export function passwordKey(): Promise<PasswordKey> {
  pending ??= fetchKey().catch((error: unknown) => {
    pending = null;
    throw error;
  });
  return pending;
}

async function fetchKey(): Promise<PasswordKey> {
  const { key, maxLength } = await send(getPasswordKey, {});
  return { jwk: key as JWK, maxLength };
}

/** Encrypts a password so that no proxy and no log on the way can read it (JWE compact; decisions, "Sign-in"). */
async function seal(password: string): Promise<string> {
  const { jwk } = await passwordKey();
  const header = { alg, enc, ...(jwk.kid !== undefined && { kid: jwk.kid }) };
  const key = await importJWK(jwk, alg);
  return new CompactEncrypt(new TextEncoder().encode(password)).setProtectedHeader(header).encrypt(key);
}

/**
 * Runs `use` with passwords sealed. A server that has changed its key since the page was opened cannot read them: then
 * they are sealed once more with the new one.
 */
export async function withSealed<Result>(
  passwords: readonly string[],
  use: (sealed: readonly string[]) => Promise<Result>,
): Promise<Result> {
  try {
    return await use(await Promise.all(passwords.map(seal)));
  } catch (error) {
    if (!(error instanceof ApiError && error.key === 'passwordUndecipherable')) throw error;
    pending = null;
    return use(await Promise.all(passwords.map(seal)));
  }
}
