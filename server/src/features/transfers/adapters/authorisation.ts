import { CompactSign, compactVerify, importJWK, type JWK } from 'jose';
import type { AuthorisationClaims } from '../domain.ts';

/**
 * The seal between the HTTP process and the signer: a compact JWS (RFC 7515) with EdDSA over the authorisation. Only the
 * HTTP process holds the private key, so neither the worker nor anybody with its database rights can make one.
 */

export async function createAuthoriser(privateKey: JWK): Promise<(claims: AuthorisationClaims) => Promise<string>> {
  const key = await importJWK(privateKey, 'EdDSA');
  return (claims) =>
    new CompactSign(Buffer.from(JSON.stringify(claims)))
      .setProtectedHeader({ alg: 'EdDSA', typ: 'causeway-transfer' })
      .sign(key);
}

/** Answers the claims of a genuine authorisation; null when the seal does not hold. */
export async function createAuthorisationVerifier(
  publicKey: JWK,
): Promise<(jws: string) => Promise<AuthorisationClaims | null>> {
  const key = await importJWK(publicKey, 'EdDSA');
  return async (jws) => {
    try {
      const { payload, protectedHeader } = await compactVerify(jws, key, { algorithms: ['EdDSA'] });
      if (protectedHeader.typ !== 'causeway-transfer') return null;
      return JSON.parse(Buffer.from(payload).toString('utf8')) as AuthorisationClaims;
    } catch {
      return null;
    }
  };
}
