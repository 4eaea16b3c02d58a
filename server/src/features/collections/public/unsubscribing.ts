import { createHmac, timingSafeEqual } from 'node:crypto';
import { paymentPagePath } from '@causeway/contract/payment-requests-rules.ts';

/**
 * The address at which the reader of a reminder ends reminders with one click (RFC 8058). It is signed for the mail address: who got reminders before the
 * company corrected the address does not end those of the payer.
 */
export function unsubscribePath({ token, email }: { token: string; email: string }): string {
  return `${paymentPagePath(token)}/unsubscribe/${signatureOf(token, email)}`;
}

export function isUnsubscribing({ token, email }: { token: string; email: string | null }, signature: string): boolean {
  if (email === null) return false;
  const [given, expected] = [Buffer.from(signature), Buffer.from(signatureOf(token, email))];
  return given.length === expected.length && timingSafeEqual(given, expected);
}

/** The token is the key: a reader of the page can end reminders on the page. */
function signatureOf(token: string, email: string): string {
  return createHmac('sha256', token).update(`unsubscribe\n${email}`).digest('base64url');
}
