import { createPrivateKey, createPublicKey, type JsonWebKey, sign, verify } from 'node:crypto';

/**
 * Seals between the processes: a compact JWS (RFC 7515) with EdDSA (RFC 8037). Only the HTTP process holds the private key, so neither
 * the worker nor anybody with its database rights can make one; the signer verifies with the public key.
 */

/** What is sealed: `typ` in the header, so that a seal of one kind never passes as another. */
export type SealType = 'causeway-transfer' | 'causeway-decision';

export type Seal = (type: SealType, claims: object) => string;

/** The claims of a genuine seal of this type; null when it does not hold. */
export type OpenSeal = (type: SealType, jws: string) => unknown;

const encode = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');

export function createSeal(privateKey: JsonWebKey): Seal {
  const key = createPrivateKey({ key: privateKey, format: 'jwk' });
  return (type, claims) => {
    const signed = `${encode({ alg: 'EdDSA', typ: type })}.${encode(claims)}`;
    return `${signed}.${sign(null, Buffer.from(signed), key).toString('base64url')}`;
  };
}

export function createOpenSeal(publicKey: JsonWebKey): OpenSeal {
  const key = createPublicKey({ key: publicKey, format: 'jwk' });
  return (type, jws) => {
    const [header = '', payload = '', signature = '', ...rest] = jws.split('.');
    if (rest.length > 0) return null;
    if (!verify(null, Buffer.from(`${header}.${payload}`), key, Buffer.from(signature, 'base64url'))) return null;
    const { alg, typ } = JSON.parse(Buffer.from(header, 'base64url').toString('utf8')) as {
      alg?: string;
      typ?: string;
    };
    if (alg !== 'EdDSA' || typ !== type) return null;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  };
}
