import { codeLifetimeMs, codeResendMs } from '@causeway/contract/identity.ts';
import { seal } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import { identityEvents } from '../events.ts';
import type { CodeLetter } from '../letters.ts';
import type { IdentityCore } from './dependencies.ts';

/** The answer to every request of a code. */
export const sentNow = { resendAfterMs: codeResendMs, expiresAfterMs: codeLifetimeMs };

/** Announces the mail; the code travels sealed. */
export async function mailCode(tx: Tx, core: IdentityCore, letter: CodeLetter): Promise<void> {
  const sealed = seal(core.keys.mail, Buffer.from(JSON.stringify(letter)), identityEvents.codeRequested);
  await announce(tx, [{ name: identityEvents.codeRequested, payload: { sealed: sealed.toString('base64') } }]);
}

/** When a code that is mailed now expires, ISO 8601. */
export function codeExpiry(): string {
  return new Date(Date.now() + codeLifetimeMs).toISOString();
}
