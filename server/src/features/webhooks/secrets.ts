import { type KeyObject, randomBytes } from 'node:crypto';
import { Webhook } from 'standardwebhooks';
import { deriveKey, seal, unsealWithAny } from '../../platform/crypto/secrets.ts';

/** Secrets of endpoints and what they sign, as Standard Webhooks has it (https://www.standardwebhooks.com, "Webhook scheme": symmetric, `v1`). */

/** The newest first; earlier ones open what was sealed before a rotation. */
export type SealingKeys = readonly [KeyObject, ...KeyObject[]];

export function sealingKeys(secret: string, previous: readonly string[] = []): SealingKeys {
  const keyOf = (text: string) => deriveKey(text, 'webhooks');
  return [keyOf(secret), ...previous.map(keyOf)];
}

/** `whsec_` and 32 random bytes in base64. */
export function newSecret(): string {
  return `whsec_${randomBytes(32).toString('base64')}`;
}

/** For the database: bound to its endpoint, so that a row that was moved opens nothing. */
export function sealSecret([key]: SealingKeys, secret: string, endpointId: string): Buffer {
  return seal(key, Buffer.from(secret), endpointId);
}

/** @throws where it was sealed under none of the keys */
export function openSecret(keys: SealingKeys, sealed: Buffer, endpointId: string): string {
  return unsealWithAny(keys, sealed, endpointId).toString();
}

/** The headers of one attempt; one signature for each secret that is valid, the newest first. */
export function signedHeaders(
  secrets: readonly string[],
  { messageId, at, body }: { messageId: string; at: Date; body: string },
): Record<'webhook-id' | 'webhook-timestamp' | 'webhook-signature', string> {
  const signatures = secrets.map((secret) => new Webhook(secret).sign(messageId, at, body));
  return {
    'webhook-id': messageId,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': signatures.join(' '),
  };
}
