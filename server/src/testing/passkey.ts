import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AssertionResponse, RegistrationResponse } from '@causeway/contract/webauthn.ts';

/** An authenticator made of software (WebAuthn level 3, section 6), with knobs for everything that may be wrong. */
export interface SoftPasskey {
  credentialId: Buffer;
  /** What it counts; 0 for ever is a passkey that does not count. */
  counter: number;
  create(options: { challenge: string }, changes?: Changes): RegistrationResponse;
  get(options: { challenge: string }, changes?: Changes): AssertionResponse;
}

export interface Changes {
  origin?: string;
  rpId?: string;
  type?: string;
  challenge?: string;
  crossOrigin?: boolean;
  /** Bits of section 6.1: 1 user present, 4 user verified. */
  flags?: number;
  signWith?: KeyObject;
}

const site = { origin: 'https://causeway.example', rpId: 'causeway.example' };
const attested = 0x40;
const base64url = (bytes: Buffer) => bytes.toString('base64url');
const sha256 = (bytes: Buffer | string) => createHash('sha256').update(bytes).digest();

export function softPasskey(counter = 1): SoftPasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const credentialId = randomBytes(32);
  const made: SoftPasskey = {
    credentialId,
    counter,
    create({ challenge }, changes = {}) {
      const id = base64url(credentialId);
      const length = Buffer.from([0, credentialId.length]);
      const key = coseKey(Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url'));
      const authData = Buffer.concat([
        authenticatorData(made.counter, changes, attested),
        Buffer.alloc(16),
        length,
        credentialId,
        key,
      ]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(clientData('webauthn.create', challenge, changes)),
          attestationObject: base64url(attestationObject(authData)),
          transports: ['internal'],
        },
      };
    },
    get({ challenge }, changes = {}) {
      const id = base64url(credentialId);
      const data = clientData('webauthn.get', challenge, changes);
      const authData = authenticatorData(made.counter, changes, 0);
      const signature = sign('sha256', Buffer.concat([authData, sha256(data)]), changes.signWith ?? privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: base64url(data),
          authenticatorData: base64url(authData),
          signature: base64url(signature),
        },
      };
    },
  };
  return made;
}

function clientData(type: string, challenge: string, changes: Changes): Buffer {
  return Buffer.from(
    JSON.stringify({
      type: changes.type ?? type,
      challenge: changes.challenge ?? challenge,
      origin: changes.origin ?? site.origin,
      crossOrigin: changes.crossOrigin ?? false,
    }),
  );
}

function authenticatorData(counter: number, changes: Changes, further: number): Buffer {
  const count = Buffer.alloc(4);
  count.writeUInt32BE(counter);
  return Buffer.concat([sha256(changes.rpId ?? site.rpId), Buffer.from([(changes.flags ?? 5) | further]), count]);
}

/** CBOR (RFC 8949) by hand: a map of two-byte keys and the values that ES256 has (RFC 9053, section 7.1.1). */
function coseKey(x: Buffer, y: Buffer): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 0x20]);
  return Buffer.concat([head, x, Buffer.from([0x22, 0x58, 0x20]), y]);
}

/** `{ fmt: 'none', attStmt: {}, authData }`. */
function attestationObject(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  const length = Buffer.from([0x58, authData.length]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    length,
    authData,
  ]);
}
