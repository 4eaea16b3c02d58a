import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { bindMfa as bindCall, getMfa as getCall } from '@causeway/contract/identity.ts';
import type { SecurityProof } from '@causeway/contract/identity-account.ts';
import { seal } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf } from '../../../platform/session.ts';
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
import type { IdentityCore, MemberContext, OpenMemberContext } from './dependencies.ts';
import { requirePassword } from './password.ts';
import { withProof } from './proof.ts';
import { makeRecoveryCodes } from './recovery-code.ts';
import { recordSecurity } from './security-event.ts';

/**
 * Whether an authenticator is bound; if not, a secret to bind. A page that asks twice gets the same one, unless half of
 * its ten minutes are over.
 */
export async function getMfa(tx: Tx, context: MemberContext): Promise<OutputInput<typeof getCall>> {
  const { session } = context;
  const { userId } = session;
  const row = await lockAuthenticator(tx, userId);
  const contact = (await findContacts(tx, userId))[0];
  if (!row || !contact) throw new DomainError('sessionEnded');
  if (row.secret) return { bound: true, secret: null, uri: null };
  let secret = pendingOf(context, row, userId, pendingSecretLifetimeMs / 2);
  if (!secret) {
    secret = newTotpSecret();
    await updatePending(tx, userId, seal(context.keys.totp, secret, userId));
  }
  return { bound: false, ...totpEnrolment(secret, contact.email) };
}

/**
 * Binds the authenticator whose secret `getMfa` gave, and returns its recovery codes.
 * @throws DomainError mfaAlreadyBound, mfaSecretExpired, codeWrong, codeBurnt, passwordWrong, passwordUndecipherable,
 * tooManyRequests
 */
export async function bindMfa(
  context: OpenMemberContext,
  body: Body<typeof bindCall>,
): Promise<{ recoveryCodes: string[] }> {
  const { companyId, userId } = context.session;
  await requirePassword(context, body.password, 'password');
  return context.database.withCompany(companyId, async (tx) => {
    const holder = memberHolder(userId, 'otp_auth');
    const guard = await lockGuard(tx, holder);
    refuseBurnt(guard, holder);
    const row = await lockAuthenticator(tx, userId);
    invariant(row, 'a member has a credential');
    if (row.secret) throw new DomainError('mfaAlreadyBound');
    const secret = pendingOf(context, row, userId, pendingSecretLifetimeMs);
    if (!secret) throw new DomainError('mfaSecretExpired');
    const step = matchTotpStep(secret, body.code, context.clock.now(), 0);
    if (step === null) return refuseTry(tx, holder, guard, 'codeWrong');
    await bindPending(tx, userId, step);
    await forgetWrongTries(tx, holder);
    const recoveryCodes = await makeRecoveryCodes(tx, context, userId);
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
export async function unbindMfa(context: OpenMemberContext, { proof }: { proof: SecurityProof }): Promise<void> {
  const { userId } = context.session;
  await withProof(context, { proof, content: { action: 'unbindAuthenticator' } }, async (tx) => {
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
