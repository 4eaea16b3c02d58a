import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { bindMfa as bindCall, getMfa as getCall } from '@causeway/contract/identity.ts';
import type { SecurityProof } from '@causeway/contract/identity-account.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { seal } from '../../../platform/secrets.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { pendingSecretLifetimeMs } from '../domain.ts';
import {
  type AuthenticatorRow,
  bindPending,
  lockAuthenticator,
  unbind,
  updatePending,
} from '../store/authenticators.ts';
import { forgetWrongTries, lockGuard } from '../store/codes.ts';
import { findContacts } from '../store/members.ts';
import { replaceRecoveryCodes } from '../store/recovery-codes.ts';
import { matchTotpStep, newTotpSecret, totpEnrolment } from '../totp.ts';
import { openSecret } from './authenticator.ts';
import { memberHolder, refuseBurnt, refuseTry } from './code.ts';
import type { IdentityCore } from './core.ts';
import { requirePassword } from './password.ts';
import { withProof } from './proof.ts';
import { makeRecoveryCodes } from './recovery-code.ts';
import { recordSecurity } from './security-event.ts';

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
 * Binds the authenticator whose secret `getMfa` gave, and answers its recovery codes.
 * @throws DomainError mfaAlreadyBound, mfaSecretExpired, codeWrong, codeBurnt, passwordWrong, passwordUndecipherable,
 * tooManyRequests
 */
export async function bindMfa(
  core: IdentityCore,
  body: Body<typeof bindCall>,
  context: SignedInContext,
): Promise<{ recoveryCodes: string[] }> {
  const { companyId, userId } = context.session;
  await requirePassword(core, body.password, 'password', context);
  return core.database.withCompany(companyId, async (tx) => {
    const holder = memberHolder(userId, 'otp_auth');
    const guard = await lockGuard(tx, holder);
    refuseBurnt(guard, holder);
    const row = await lockAuthenticator(tx, userId);
    invariant(row, 'a member has a credential');
    if (row.secret) throw new DomainError('mfaAlreadyBound');
    const secret = pendingOf(core, row, userId, pendingSecretLifetimeMs);
    if (!secret) throw new DomainError('mfaSecretExpired');
    const step = matchTotpStep(secret, body.code, core.clock.now(), 0);
    if (step === null) return refuseTry(tx, holder, guard, 'codeWrong');
    await bindPending(tx, userId, step);
    await forgetWrongTries(tx, holder);
    const recoveryCodes = await makeRecoveryCodes(core, tx, userId);
    await recordSecurity(tx, context, {
      userId,
      what: 'authenticatorBound',
      action: 'identity.bindAuthenticator',
      actor: actorOf(context),
    });
    return { recoveryCodes };
  });
}

/**
 * Unbinds the authenticator; codes by mail serve from then on, and its recovery codes no more.
 * @throws DomainError mfaNotBound, and what a proof is refused with (`withProof`)
 */
export async function unbindMfa(core: IdentityCore, proof: SecurityProof, context: SignedInContext): Promise<void> {
  const { userId } = context.session;
  await withProof(core, context, { proof, content: { action: 'unbindAuthenticator' } }, async (tx) => {
    if (!(await lockAuthenticator(tx, userId))?.secret) throw new DomainError('mfaNotBound');
    await unbind(tx, userId);
    await replaceRecoveryCodes(tx, userId, []);
    await recordSecurity(tx, context, {
      userId,
      what: 'authenticatorUnbound',
      action: 'identity.unbindAuthenticator',
      actor: actorOf(context),
      detail: { proof: proof.method },
    });
  });
}

/** A bound seal context: the secret opens for its own member alone. */
function pendingOf(core: IdentityCore, row: AuthenticatorRow, userId: string, maxAgeMs: number): Buffer | null {
  if (!row.pendingSecret || !row.pendingSince) return null;
  const ageMs = core.clock.now().getTime() - row.pendingSince.getTime();
  return ageMs <= maxAgeMs ? openSecret(core, row.pendingSecret, userId) : null;
}
