import { generateKeyPairSync } from 'node:crypto';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');

/** The key with which the operator's process seals in tests, and its half that the tests' signer has. */
export const operatorAuthorisation = {
  privateKey: { ...privateKey.export({ format: 'jwk' }) },
  publicKey: { ...publicKey.export({ format: 'jwk' }) },
};
