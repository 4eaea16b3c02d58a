import { randomBytes } from 'node:crypto';
import type {
  AssertionResponse,
  CreationOptions,
  RegistrationResponse,
  RequestOptions,
} from '@causeway/contract/webauthn.ts';
import { challengeLifetimeMs, memberName } from './domain.ts';

/** WebAuthn level 3: requests to browsers and verification of their responses. Knows nothing of the database. */

/** The site that passkeys are made for, from the address under which people open it. */
export interface RelyingParty {
  id: string;
  origin: string;
}

export function relyingPartyOf(publicUrl: string): RelyingParty {
  const { hostname, origin } = new URL(publicUrl);
  return { id: hostname, origin };
}

/** EdDSA, ES256, RS256 (IANA COSE algorithms): what platforms and keys in use have. */
const algorithms = [-8, -7, -257];

interface Known {
  credentialId: Buffer;
  transports: readonly string[];
}

/** 256 random bits (section 13.4.3 asks for 128). */
export function newChallenge(): string {
  return randomBytes(32).toString('base64url');
}

export function creationOptionsOf(
  site: RelyingParty,
  member: { id: string; email: string; firstName: string; lastName: string },
  known: readonly Known[],
  challenge: string,
): CreationOptions {
  return {
    rp: { id: site.id, name: 'Causeway' },
    user: {
      // Section 14.6.1: nothing that says who it is. The id is random.
      id: Buffer.from(member.id.replaceAll('-', ''), 'hex').toString('base64url'),
      name: member.email,
      displayName: memberName(member),
    },
    challenge,
    pubKeyCredParams: algorithms.map((alg) => ({ alg, type: 'public-key' })),
    timeout: challengeLifetimeMs,
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'preferred', userVerification: 'preferred' },
    // The make of the authenticator is not our business.
    attestation: 'none',
  };
}

export function requestOptionsOf(site: RelyingParty, known: readonly Known[], challenge: string): RequestOptions {
  return {
    rpId: site.id,
    challenge,
    timeout: challengeLifetimeMs,
    allowCredentials: known.map(descriptorOf),
    userVerification: 'preferred',
  };
}

function descriptorOf({ credentialId, transports }: Known): RequestOptions['allowCredentials'][number] {
  return { id: credentialId.toString('base64url'), type: 'public-key', transports: [...transports] };
}

/** The challenge that an answer says it is for; null when it cannot be read, or was given inside another site's frame. */
export function challengeOf({ response }: RegistrationResponse | AssertionResponse): string | null {
  try {
    const said: unknown = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString('utf8'));
    if (typeof said !== 'object' || said === null || !('challenge' in said)) return null;
    if ('crossOrigin' in said && said.crossOrigin === true) return null;
    return typeof said.challenge === 'string' ? said.challenge : null;
  } catch {
    return null;
  }
}

/** Certificates and ASN.1 take 15 MB of memory: they come with the first passkey. */
const verifier = () => import('@simplewebauthn/server');

export interface MadePasskey {
  credentialId: Buffer;
  publicKey: Buffer;
  signCount: number;
  synced: boolean;
}

/** The passkey that was made for this challenge on this site; null when anything about the answer is wrong. */
export async function verifyCreation(
  site: RelyingParty,
  { response, ...credential }: RegistrationResponse,
  challenge: string,
): Promise<MadePasskey | null> {
  const { clientDataJSON, attestationObject } = response;
  const { verifyRegistrationResponse } = await verifier();
  const verified = await verifyRegistrationResponse({
    response: { ...credential, response: { clientDataJSON, attestationObject }, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    requireUserVerification: false,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { id, publicKey, counter } = verified.registrationInfo.credential;
  return {
    credentialId: Buffer.from(id, 'base64url'),
    publicKey: Buffer.from(publicKey),
    signCount: counter,
    synced: verified.registrationInfo.credentialBackedUp,
  };
}

/** What the answer tells of the passkey; null when anything about it is wrong. The counter is the caller's to judge. */
export async function verifyAssertion(
  site: RelyingParty,
  { response, ...credential }: AssertionResponse,
  challenge: string,
  known: { credentialId: Buffer; publicKey: Buffer },
): Promise<{ signCount: number; synced: boolean } | null> {
  const { clientDataJSON, authenticatorData, signature } = response;
  const { verifyAuthenticationResponse } = await verifier();
  const verified = await verifyAuthenticationResponse({
    response: {
      ...credential,
      response: { clientDataJSON, authenticatorData, signature },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: site.origin,
    expectedRPID: site.id,
    credential: {
      id: known.credentialId.toString('base64url'),
      publicKey: new Uint8Array(known.publicKey),
      // Judged by `isCounterBack`, which tells a copy from a wrong answer.
      counter: 0,
    },
    requireUserVerification: false,
  }).catch(() => null);
  if (!verified?.verified) return null;
  const { newCounter, credentialBackedUp } = verified.authenticationInfo;
  return { signCount: newCounter, synced: credentialBackedUp };
}

/** Section 6.1.1: a counter that is kept at all only rises; else there are two of it. */
export function isCounterBack(stored: number, given: number): boolean {
  return (stored > 0 || given > 0) && given <= stored;
}
