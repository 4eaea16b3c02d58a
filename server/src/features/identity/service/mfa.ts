import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { bindMfa as bindCall, getMfa as getCall } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { announce } from '../../../platform/outbox.ts';
import { seal, unseal } from '../../../platform/secrets.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { pendingSecretLifetimeMs } from '../domain.ts';
import { identityEvents } from '../events.ts';
import { type AuthenticatorRow, bindPending, lockAuthenticator, updatePending } from '../store/authenticators.ts';
import { forgetWrongTries, lockGuard } from '../store/codes.ts';
import { findContacts } from '../store/members.ts';
import { matchTotpStep, newTotpSecret, totpEnrolment } from '../totp.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityCore } from './core.ts';
import { requirePassword } from './password.ts';

/**
 * Whether an authenticator is bound; if not, a secret to bind. A page that asks twice gets the same one, unless half of
 * its ten minutes are over.
 */
export async function getMfa(core: IdentityCore, { session }: SignedInContext): Promise<OutputInput<typeof getCall>> {
  const { companyId, userId } = session;
  return core.database.withCompany(companyId, async (tx) => {
    const row = await lockAuthenticator(tx, userId);
    const contact = (await findContacts(tx, userId))[0];
    if (!row || !contact) throw new DomainError('sessionEnded');
    if (row.secret) return { bound: true, secret: null, uri: null };
    let secret = pendingOf(core, row, userId, pendingSecretLifetimeMs / 2);
    if (!secret) {
      secret = newTotpSecret();
      await updatePending(tx, userId, seal(core.keys.totp, secret, userId));
    }
    return { bound: false, ...totpEnrolment(secret, contact.email) };
  });
}

/**
 * Binds the authenticator whose secret `getMfa` gave.
 * @throws DomainError mfaAlreadyBound, mfaSecretExpired, codeWrong, codeBurnt, passwordWrong, passwordUndecipherable,
 * tooManyRequests
 */
export async function bindMfa(
  core: IdentityCore,
  body: Body<typeof bindCall>,
  context: SignedInContext,
): Promise<void> {
  const { companyId, userId } = context.session;
  await requirePassword(core, body.password, 'password', context);
  await core.database.withCompany(companyId, async (tx) => {
    const holder = memberHolder(userId, 'otp_auth');
    const guard = await lockGuard(tx, holder);
    refuseBurnt(guard);
    const row = await lockAuthenticator(tx, userId);
    invariant(row, 'a member has a credential');
    if (row.secret) throw new DomainError('mfaAlreadyBound');
    const secret = pendingOf(core, row, userId, pendingSecretLifetimeMs);
    if (!secret) throw new DomainError('mfaSecretExpired');
    const step = matchTotpStep(secret, body.code, core.clock.now(), 0);
    if (step === null) return refuseTry(tx, holder, guard, 'codeWrong');
    await bindPending(tx, userId, step);
    await forgetWrongTries(tx, holder);
    await audit(tx, {
      actor: actorOf(context),
      action: 'identity.bindAuthenticator',
      subjectKind: 'member',
      subjectId: userId,
    });
    await announce(tx, [{ name: identityEvents.authenticatorBound, payload: { userId } }]);
  });
}

/** A bound seal context: the secret opens for its own member alone. */
function pendingOf(core: IdentityCore, row: AuthenticatorRow, userId: string, maxAgeMs: number): Buffer | null {
  if (!row.pendingSecret || !row.pendingSince) return null;
  const ageMs = core.clock.now().getTime() - row.pendingSince.getTime();
  return ageMs <= maxAgeMs ? unseal(core.keys.totp, row.pendingSecret, userId) : null;
}
