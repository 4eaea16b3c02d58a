import { createHash, createPublicKey, type KeyObject, verify } from 'node:crypto';

/**
 * The audit chain's arithmetic: what exactly is hashed and what is signed. Pure, and shared by those who must agree on
 * it: the sealer, the signer, the export and the off-line verifier.
 */

/** An event as its hash covers it. */
export interface ChainEvent {
  company: string;
  /** Its place in the company's chain: 1, 2, 3, … in the order of sealing. */
  seq: number;
  id: string;
  /** When it happened, ISO 8601 in UTC with microseconds. */
  time: string;
  actor: { kind: string; id: string };
  action: string;
  subject: { kind: string; id: string };
  detail: unknown;
  ip: string | null;
  requestId: string | null;
}

/** The hash that the first event follows. */
export const chainStart: Buffer = Buffer.alloc(32);

/** JSON in the one form that is hashed (RFC 8785): no white space, the names of an object sorted by UTF-16 code unit. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join(',')}}`;
}

/** SHA-256 of the hash before and the event's canonical JSON. */
export function linkHash(previous: Buffer, event: ChainEvent): Buffer {
  return createHash('sha256').update(previous).update(canonical(event)).digest();
}

/** What the signer says of a chain. */
export interface Checkpoint {
  company: string;
  seq: number;
  /** Hexadecimal, of the event at `seq`. */
  hash: string;
  /** By the signer's clock, ISO 8601 in UTC with milliseconds. */
  at: string;
}

/** The bytes that are signed; the first line keeps them apart from anything else a key might sign. */
export function checkpointMessage({ company, seq, hash, at }: Checkpoint): Buffer {
  return Buffer.from(`causeway-audit-checkpoint/1\n${company}\n${seq}\n${hash}\n${at}\n`);
}

/** Whether a checkpoint was signed with this key (Ed25519, RFC 8032). */
export function isGenuine(publicKey: Buffer, checkpoint: Checkpoint, signature: Buffer): boolean {
  return verify(null, checkpointMessage(checkpoint), publicKeyOf(publicKey), signature);
}

/** Names a public key: the first 16 hexadecimal digits of its SHA-256. */
export function keyIdOf(publicKey: Buffer): string {
  return createHash('sha256').update(publicKey).digest('hex').slice(0, 16);
}

/** An Ed25519 public key of its 32 bytes. */
export function publicKeyOf(bytes: Buffer): KeyObject {
  return createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x: bytes.toString('base64url') }, format: 'jwk' });
}
