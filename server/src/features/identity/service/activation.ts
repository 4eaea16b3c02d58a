import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { activate as activateCall, checkActivation as checkCall } from '@causeway/contract/identity.ts';
import { audit } from '../../../platform/audit/record.ts';
import { newToken, seal, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { countEvent } from '../../../platform/http/throttle.ts';
import { newId } from '../../../platform/ids.ts';
import { forgetLinkPauseMs, nilCompany } from '../domain.ts';
import { identityEvents } from '../events.ts';
import type { ActivationLetter } from '../letters.ts';
import { type Activation, insertActivation, lockActivation, mayForget, useActivation } from '../store/activations.ts';
import { findByActivation } from '../store/lookups.ts';
import { endAccess } from '../store/sessions.ts';
import type { IdentityCore, OpenIdentity, OpenIdentityContext } from './dependencies.ts';
import { acceptPassword, forgetStrangers, wordsOf } from './password.ts';
import { announceSecurity } from './security-event.ts';
import { countTry } from './tries.ts';

/** The one-time link by which a member sets a password that only they know. */

/**
 * Mails a member the link in the name of `by`, which holds for 72 hours; links before it hold no longer. Only the token's hash is kept, and on its
 * way to the mail job the token is sealed, as codes are.
 * @returns when the link expires
 * @throws DomainError tooManyRequests: mails to one member are counted
 */
export async function issueActivation(
  tx: Tx,
  core: IdentityCore,
  userId: string,
  purpose: 'activation' | 'reset',
  by: string,
): Promise<Date> {
  const { codesRecipient: limit, codeWindowMs: windowMs } = core.limits;
  // In this transaction: what is rolled back was not mailed.
  if ((await countEvent(tx, `activation:member:${userId}`, windowMs)) > limit) throw new DomainError('tooManyRequests');
  return mailLink(tx, core, { userId, purpose, by });
}

/**
 * Mails the link of a forgotten password, in place of a code that strangers have been guessing at (docs/adr/0046). Once an hour:
 * until then the last one is in the mailbox and holds. For a member without a password, or for no member, the same statements
 * run and nothing is mailed.
 */
export async function mailForgetLink(tx: Tx, core: IdentityCore, userId: string): Promise<void> {
  const mayMail = await mayForget(tx, userId, forgetLinkPauseMs);
  if (mayMail) await mailLink(tx, core, { userId, purpose: 'forget', by: null });
  else
    await announceLink(tx, core, {
      token: newToken(),
      userId: nilCompany,
      purpose: 'forget',
      by: null,
      expiresAt: new Date(0),
    });
}

async function mailLink(
  tx: Tx,
  core: IdentityCore,
  { userId, purpose, by }: Pick<ActivationLetter, 'userId' | 'purpose' | 'by'>,
): Promise<Date> {
  const token = newToken();
  const expiresAt = await insertActivation(tx, { id: newId(), userId, purpose, tokenSha256: sha256(token) });
  await announceLink(tx, core, { token, userId, purpose, by, expiresAt });
  return expiresAt;
}

async function announceLink(
  tx: Tx,
  core: IdentityCore,
  { expiresAt, ...made }: Omit<ActivationLetter, 'expiresAt'> & { expiresAt: Date },
): Promise<void> {
  const letter: ActivationLetter = { ...made, expiresAt: expiresAt.toISOString() };
  const sealed = seal(core.keys.mail, Buffer.from(JSON.stringify(letter)), identityEvents.activationIssued);
  await announce(tx, [{ name: identityEvents.activationIssued, payload: { sealed: sealed.toString('base64') } }]);
}

/** Whose password a link would set. @throws DomainError activationInvalid, tooManyRequests */
export async function checkActivation(
  context: OpenIdentityContext,
  { token }: Body<typeof checkCall>,
): Promise<OutputInput<typeof checkCall>> {
  const { resetsAddress: limit, codeWindowMs: windowMs } = context.limits;
  await countTry(context, [{ bucket: `activation:address:${addressBucket(context.ip)}`, limit, windowMs }]);
  const { purpose, email, companyName, language, expiresAt } = await withActivation(
    context,
    token,
    async (_, found) => found,
  );
  return { purpose, email, companyName, language, expiresAt: expiresAt.toISOString() };
}

/**
 * Sets the password and uses the link up. Whatever an old password opened ends.
 * @throws DomainError activationInvalid, passwordRule, passwordCommon, passwordPersonal, passwordUndecipherable, tooManyRequests
 */
export async function activate(
  context: OpenIdentityContext,
  { token, password }: Body<typeof activateCall>,
): Promise<void> {
  const accepted = await acceptPassword(context, { jwe: password, field: 'password', personal: [] });
  await withActivation(context, token, async (tx, activation) => {
    const { userId, purpose, email } = activation;
    accepted.refusePersonal(wordsOf(activation));
    await useActivation(tx, activation, accepted.hash);
    await endAccess(tx, userId, null);
    await audit(tx, {
      actor: { kind: 'user', id: userId, ip: context.ip, requestId: context.requestId },
      action: purpose === 'activation' ? 'identity.activate' : 'identity.resetPassword',
      subjectKind: 'member',
      subjectId: userId,
    });
    if (purpose !== 'activation') await announceSecurity(tx, context, userId, 'passwordChanged');
    await announce(tx, [live('organisation', userId)]);
    await forgetStrangers(tx, context, { userId, email });
  });
}

async function withActivation<T>(
  core: OpenIdentity,
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
