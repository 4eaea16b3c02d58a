import type { JWK } from 'jose';
import { CompactEncrypt } from 'jose/jwe/compact/encrypt';
import { importJWK } from 'jose/key/import';
import { ApiError } from '../../lib/api-error.ts';

const alg = 'RSA-OAEP-256';
const enc = 'A256GCM';

interface PasswordKey {
  jwk: JWK;
  /** The longest password that the server takes, in code points. */
  maxLength: number;
}

export interface Sealing {
  /** The server's key and password rule; asked for once, and again after a failure. */
  passwordKey: () => Promise<PasswordKey>;
  /**
   * Runs `use` with passwords sealed. A server that has changed its key since the page was opened cannot read them: then
   * they are sealed once more with the new one.
   */
  withSealed: <Result>(
    passwords: readonly string[],
    use: (sealed: readonly string[]) => Promise<Result>,
  ) => Promise<Result>;
}

/** Encrypts passwords so that no proxy and no log on the way can read them (JWE compact; decisions, "Sign-in"); `ask` fetches the server's key. */
export function sealingBy(ask: () => Promise<{ key: object; maxLength: number }>): Sealing {
  let pending: Promise<PasswordKey> | null = null;

  async function fetchKey(): Promise<PasswordKey> {
    const { key, maxLength } = await ask();
    return { jwk: key as JWK, maxLength };
  }

  function passwordKey(): Promise<PasswordKey> {
    pending ??= fetchKey().catch((error: unknown) => {
      pending = null;
      throw error;
    });
    return pending;
  }

  async function seal(password: string): Promise<string> {
    const { jwk } = await passwordKey();
    const header = { alg, enc, ...(jwk.kid !== undefined && { kid: jwk.kid }) };
    const key = await importJWK(jwk, alg);
    return new CompactEncrypt(new TextEncoder().encode(password)).setProtectedHeader(header).encrypt(key);
  }

  return {
    passwordKey,
    withSealed: async (passwords, use) => {
      try {
        return await use(await Promise.all(passwords.map(seal)));
      } catch (error) {
        if (!(error instanceof ApiError && error.key === 'passwordUndecipherable')) throw error;
        pending = null;
        return use(await Promise.all(passwords.map(seal)));
      }
    },
  };
}
