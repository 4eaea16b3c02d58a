import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { activate as activateCall, checkActivation as checkCall } from '@causeway/contract/identity.ts';
import { addressBucket } from '../../../platform/address-bucket.ts';
import { audit } from '../../../platform/audit.ts';
import type { Tx } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import { newToken, seal, sha256 } from '../../../platform/secrets.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { clearEvents, countEvent } from '../../../platform/throttle.ts';
import { identityEvents } from '../events.ts';
import type { ActivationLetter } from '../letters.ts';
import {
  type Activation,
  type ActivationPurpose,
  insertActivation,
  lockActivation,
  useActivation,
} from '../store/activations.ts';
import { findByActivation } from '../store/lookups.ts';
import { endAccess } from '../store/sessions.ts';
import { emailMac } from './code.ts';
import type { IdentityCore } from './core.ts';
import { acceptPassword } from './password.ts';
import { announceSecurity } from './security-event.ts';
import { countTry, loginBucket } from './tries.ts';

/** The one-time link by which a member sets a password that nobody else ever sees. */

/**
 * Mails a member the link, which holds for 72 hours; links before it hold no longer. Only the token's hash is kept, and on its
 * way to the mail job the token is sealed, as codes are.
 * @returns when the link expires
 * @throws DomainError tooManyRequests: mails to one member are counted
 */
export async function issueActivation(
  core: IdentityCore,
  tx: Tx,
  userId: string,
  purpose: ActivationPurpose,
): Promise<Date> {
  const { codesRecipient: limit, codeWindowMs: windowMs } = core.limits;
  // In this transaction: what is rolled back was not mailed.
  if ((await countEvent(tx, `activation:member:${userId}`, windowMs)) > limit) throw new DomainError('tooManyRequests');
  const token = newToken();
  const expiresAt = await insertActivation(tx, { id: newId(), userId, purpose, tokenSha256: sha256(token) });
  const letter: ActivationLetter = { token, userId, purpose, expiresAt: expiresAt.toISOString() };
  const sealed = seal(core.keys.mail, Buffer.from(JSON.stringify(letter)), identityEvents.activationIssued);
  await announce(tx, [{ name: identityEvents.activationIssued, payload: { sealed: sealed.toString('base64') } }]);
  return expiresAt;
}

/** Whose password a link would set. @throws DomainError activationInvalid, tooManyRequests */
export async function checkActivation(
  core: IdentityCore,
  { token }: Body<typeof checkCall>,
  context: RequestContext,
): Promise<OutputInput<typeof checkCall>> {
  const { resetsAddress: limit, codeWindowMs: windowMs } = core.limits;
  await countTry(core, [{ bucket: `activation:address:${addressBucket(context.ip)}`, limit, windowMs }]);
  const { purpose, email, companyName, expiresAt } = await withActivation(core, token, async (_, found) => found);
  return { purpose, email, companyName, expiresAt: expiresAt.toISOString() };
}

/**
 * Sets the password and uses the link up. Whatever an old password opened ends.
 * @throws DomainError activationInvalid, passwordRule, passwordUndecipherable, tooManyRequests
 */
export async function activate(
  core: IdentityCore,
  { token, password }: Body<typeof activateCall>,
  context: RequestContext,
): Promise<void> {
  const passwordHash = await acceptPassword(core, password, 'password', context);
  await withActivation(core, token, async (tx, activation) => {
    const { userId, purpose, email } = activation;
    await useActivation(tx, activation, passwordHash);
    await endAccess(tx, userId, null);
    await audit(tx, {
      actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
      action: purpose === 'activation' ? 'identity.activate' : 'identity.resetPassword',
      subjectKind: 'member',
      subjectId: userId,
    });
    if (purpose === 'reset') await announceSecurity(tx, context, userId, 'passwordChanged');
    await announce(tx, [live('organisation', userId)]);
    await clearEvents(tx, loginBucket(emailMac(core, email)));
  });
}

async function withActivation<T>(
  core: IdentityCore,
  token: string,
  work: (tx: Tx, activation: Activation) => Promise<T>,
): Promise<T> {
  const tokenSha256 = sha256(token);
  const member = await core.database.withoutCompany((tx) => findByActivation(tx, tokenSha256));
  if (!member) throw new DomainError('activationInvalid');
  return core.database.withCompany(member.companyId, async (tx) => {
    const activation = await lockActivation(tx, tokenSha256);
    if (!activation) throw new DomainError('activationInvalid');
    return work(tx, activation);
  });
}
