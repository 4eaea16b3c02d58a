import 'reflect-metadata';
import { randomBytes, webcrypto } from 'node:crypto';
import * as x509 from '@peculiar/x509';

/** Certificates of an authority that nothing trusts until a test says so. */

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
const dayMs = 86_400_000;

/** A certificate for these names with its key, and its authority's; all as PEM. */
export async function certificateFor(
  names: readonly string[],
): Promise<{ certificate: string; key: string; authority: string }> {
  x509.cryptoProvider.set(webcrypto as never);
  const [issuer, own] = await Promise.all([newKeys(), newKeys()]);
  const validity = { notBefore: new Date(Date.now() - dayMs), notAfter: new Date(Date.now() + dayMs) };
  const authority = await x509.X509CertificateGenerator.createSelfSigned({
    serialNumber: randomBytes(8).toString('hex'),
    name: 'CN=Test authority',
    ...validity,
    signingAlgorithm: algorithm,
    keys: issuer,
    extensions: [new x509.BasicConstraintsExtension(true, undefined, true)],
  });
  const certificate = await x509.X509CertificateGenerator.create({
    serialNumber: randomBytes(8).toString('hex'),
    subject: `CN=${names[0]}`,
    issuer: authority.subject,
    ...validity,
    signingAlgorithm: algorithm,
    publicKey: own.publicKey,
    signingKey: issuer.privateKey,
    extensions: [new x509.SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns', value })))],
  });
  const key = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', own.privateKey));
  return {
    certificate: certificate.toString('pem'),
    key: `-----BEGIN PRIVATE KEY-----\n${key.toString('base64')}\n-----END PRIVATE KEY-----\n`,
    authority: authority.toString('pem'),
  };
}

async function newKeys(): Promise<webcrypto.CryptoKeyPair> {
  return (await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify'])) as webcrypto.CryptoKeyPair;
}
