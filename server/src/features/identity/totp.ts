import { Secret, TOTP } from 'otpauth';

/** Time-based codes of an authenticator: RFC 6238 with SHA-1, 6 digits and 30 seconds, which every authenticator knows. */

const period = 30;
const parameters = { algorithm: 'SHA1', digits: 6, period } as const;
/** One step before and after: a clock may be half a minute wrong. */
const window = 1;

export function newTotpSecret(): Buffer {
  return Buffer.from(new Secret({ size: 20 }).bytes);
}

/** What the authenticator is given: the secret to type, and the same as an `otpauth://` address for the QR code. */
export function totpEnrolment(secret: Buffer, email: string, issuer = 'Causeway'): { secret: string; uri: string } {
  const totp = new TOTP({ ...parameters, issuer, label: email, secret: secretOf(secret) });
  return { secret: totp.secret.base32, uri: totp.toString() };
}

/** The time step whose code this is, later than `lastStep`; null when there is none: wrong, or used before. */
export function matchTotpStep(secret: Buffer, code: string, now: Date, lastStep: number): number | null {
  const timestamp = now.getTime();
  const delta = TOTP.validate({ ...parameters, token: code, secret: secretOf(secret), timestamp, window });
  if (delta === null) return null;
  const step = Math.floor(timestamp / 1000 / period) + delta;
  return step > lastStep ? step : null;
}

function secretOf(bytes: Buffer): Secret {
  return new Secret({ buffer: new Uint8Array(bytes).buffer });
}
