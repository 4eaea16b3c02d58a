import { createHash, generateKeyPair, type KeyObject, randomBytes } from 'node:crypto';
import { promisify } from 'node:util';

const generate = promisify(generateKeyPair);

/** Makes the secrets of an installation, in the form that the configuration wants. */

/** 256 random bits, base64url. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The pair that seals authorisations: Ed25519 (RFC 8037). */
export async function newAuthorisationKeys(): Promise<{ privateKey: string; publicKey: string }> {
  const { privateKey, publicKey } = await generate('ed25519');
  const about = { alg: 'EdDSA', use: 'sig' };
  return { privateKey: jwkOf(privateKey, about), publicKey: jwkOf(publicKey, about) };
}

/** The key to which browsers encrypt passwords: RSA of 3072 bits (NIST SP 800-57, 128 bits of strength). */
export async function newPasswordKey(): Promise<string> {
  const { privateKey } = await generate('rsa', { modulusLength: 3072 });
  return jwkOf(privateKey, { alg: 'RSA-OAEP-256', use: 'enc' });
}

/** A JSON Web Key on one line; both halves of a pair have the same `kid` (RFC 7517, section 4.5). */
function jwkOf(key: KeyObject, about: Readonly<Record<string, string>>): string {
  const exported = key.export({ format: 'jwk' });
  const kid = createHash('sha256')
    .update(JSON.stringify([exported.n, exported.x]))
    .digest('base64url')
    .slice(0, 16);
  return JSON.stringify({ ...exported, ...about, kid });
}
