import { timingSafeEqual } from 'node:crypto';
import { Webhook } from 'standardwebhooks';

/** Reading of signed requests as Standard Webhooks has it (symmetric, `v1`; https://www.standardwebhooks.com): HMAC-SHA-256 of id, time and the raw body. */

const toleranceMs = 5 * 60_000;

/** @param secrets `whsec_…`: the current one, and those before it while they are being changed */
export function signingKeys(secrets: readonly string[]): Webhook[] {
  return secrets.map((secret) => new Webhook(secret));
}

export interface SignedBody {
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** As it arrived: the signature is of the bytes. */
  body: string;
}

/** The `webhook-id` of a request that one of the keys signed within five minutes of `now`; else null. */
export function readSignedId({ headers, body }: SignedBody, keys: readonly Webhook[], now: Date): string | null {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (typeof id !== 'string' || typeof timestamp !== 'string' || typeof signatures !== 'string') return null;
  if (!/^[\x21-\x7e]{1,200}$/.test(id) || !/^\d{1,12}$/.test(timestamp)) return null;
  const at = new Date(Number(timestamp) * 1000);
  // A signed request that was overheard cannot be sent again later.
  if (Math.abs(now.getTime() - at.getTime()) > toleranceMs) return null;
  const given = signatures.split(' ').slice(0, 10);
  const valid = keys.map((key) => key.sign(id, at, body)).some((own) => given.some((each) => isSame(own, each)));
  return valid ? id : null;
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}
