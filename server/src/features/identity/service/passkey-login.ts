import type { Body } from '@causeway/contract/call.ts';
import type { loginWithPasskey as loginCall } from '@causeway/contract/identity-account.ts';
import type { RequestOptions } from '@causeway/contract/webauthn.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, RememberedError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { challengeOf, isCounterBack, newChallenge, requestOptionsOf, verifyAssertion } from '../passkeys.ts';
import {
  findPasskeys,
  insertChallenge,
  lockPasskey,
  markPasskeySuspected,
  takeChallenge,
  updatePasskeyUse,
} from '../store/passkeys.ts';
import type { IdentityContext, OpenIdentityContext } from './dependencies.ts';
import { completeLogin, type LoginAnswer, recordingFailure } from './login-code.ts';
import { recordSecurity } from './security-event.ts';
import { withTicket } from './ticket.ts';
import { countTry } from './tries.ts';

/** The second step of a sign-in by passkey: the ticket says whose it must be. */

/** @throws DomainError signInExpired, passkeyNone, tooManyRequests */
export async function startPasskeyLogin(
  context: OpenIdentityContext,
  { ticket }: { ticket: string },
): Promise<RequestOptions> {
  const { codesMember, codesAddress, codeWindowMs: windowMs } = context.limits;
  await countTry(context, [
    { bucket: `passkey:ticket:${sha256(ticket).toString('base64url')}`, limit: codesMember, windowMs },
    { bucket: `passkey:address:${addressBucket(context.ip)}`, limit: codesAddress, windowMs },
  ]);
  return withTicket(context, ticket, async (tx, held) => {
    const { userId } = held;
    // To offer the member's passkeys would tell that the password is right.
    if (held.guarded) throw new DomainError('passkeyNone');
    const usable = (await findPasskeys(tx, userId)).filter(({ suspectedAt }) => suspectedAt === null);
    if (usable.length === 0) throw new DomainError('passkeyNone');
    const challenge = newChallenge();
    await insertChallenge(tx, { userId, purpose: 'login', ticketId: held.id }, sha256(challenge));
    return requestOptionsOf(context.site, usable, challenge);
  });
}

/**
 * @throws DomainError signInExpired, passkeyExpired; RememberedError passkeyRefused, passkeySuspected (the challenge is used
 * up all the same, and a copied passkey is marked)
 */
export async function loginWithPasskey(
  context: OpenIdentityContext,
  { ticket, response, skipVerification }: Body<typeof loginCall>,
): Promise<LoginAnswer> {
  const challenge = challengeOf(response);
  return withTicket(context, ticket, async (tx, held) => {
    const { userId } = held;
    const purpose = { userId, purpose: 'login', ticketId: held.id } as const;
    if (challenge === null || !(await takeChallenge(tx, purpose, sha256(challenge)))) {
      throw new DomainError('passkeyExpired');
    }
    await recordingFailure(tx, context, userId, { method: 'passkey' }, () =>
      usePasskey(tx, context, { userId, response, challenge }),
    );
    return completeLogin(tx, context, held, { method: 'passkey', skip: skipVerification ?? false });
  });
}

async function usePasskey(
  tx: Tx,
  context: IdentityContext,
  given: { userId: string; response: Body<typeof loginCall>['response']; challenge: string },
): Promise<void> {
  const { userId, response, challenge } = given;
  const known = await lockPasskey(tx, userId, Buffer.from(response.id, 'base64url'));
  if (!known) throw new RememberedError('passkeyRefused');
  const seen = await verifyAssertion(context.site, response, challenge, known);
  if (!seen) throw new RememberedError('passkeyRefused');
  if (known.suspectedAt !== null) throw new RememberedError('passkeySuspected');
  if (isCounterBack(known.signCount, seen.signCount)) {
    await markPasskeySuspected(tx, known.id);
    await recordSecurity(tx, context, {
      userId,
      what: 'passkeySuspected',
      action: 'identity.suspectPasskey',
      actor: { kind: 'system', id: 'identity', ip: context.ip, requestId: context.requestId },
      subjectKind: 'passkey',
      subjectId: known.id,
      detail: { name: known.name, counter: { stored: known.signCount, given: seen.signCount } },
    });
    throw new RememberedError('passkeySuspected');
  }
  await updatePasskeyUse(tx, known.id, seen);
}
