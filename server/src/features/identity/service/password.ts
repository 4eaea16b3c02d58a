import type { Body } from '@causeway/contract/call.ts';
import type { changePassword as changeCall, forgetPassword as forgetCall } from '@causeway/contract/identity.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { addressBucket } from '../../../platform/http/address-bucket.ts';
import { clearEvents } from '../../../platform/http/throttle.ts';
import { actorOf } from '../../../platform/session.ts';
import { loadCommonPasswords } from '../common-passwords.ts';
import { isPasswordAllowed, nilCompany } from '../domain.ts';
import { type Weakness, weaknessOf } from '../password-strength.ts';
import { findByEmail } from '../store/lookups.ts';
import { findCredential, findMember, updatePassword } from '../store/members.ts';
import { endAccess } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { addressHolder, consumeCode, emailMac, memberHolder } from './code.ts';
import type { IdentityCore, OpenIdentityContext, OpenMemberContext } from './dependencies.ts';
import { recordSecurity } from './security-event.ts';
import { countTry, loginBucket, soonBucket, wrongCodeBucket } from './tries.ts';

/** The service's own name is the first that is tried. */
const productName = 'Causeway';

/** A password that is being set: what is stored of it, and the check against what turns out to be its owner's. */
export interface AcceptedPassword {
  hash: string;
  /** @throws DomainError passwordPersonal */
  refusePersonal(words: readonly string[]): void;
}

interface NewPassword {
  jwe: string;
  /** The field of the form that shows what is wrong with it. */
  field: string;
  /** What is known of its owner so far. */
  personal: readonly string[];
}

/**
 * Opens, checks and hashes a new password for a person not signed in. Hashing is expensive, so it is limited by address.
 * @throws DomainError passwordUndecipherable, passwordRule, passwordCommon, passwordPersonal, tooManyRequests
 */
export async function acceptPassword(context: OpenIdentityContext, given: NewPassword): Promise<AcceptedPassword> {
  const { ip } = context;
  const { resetsAddress: limit, codeWindowMs: windowMs } = context.limits;
  const password = await openNewPassword(context, given);
  await countTry(context, [{ bucket: `reset:address:${addressBucket(ip)}`, limit, windowMs }]);
  const hash = await context.passwords.hash(password);
  return {
    hash,
    refusePersonal: (words) =>
      refuseWeak(
        weaknessOf(password, () => false, words),
        given.field,
      ),
  };
}

/**
 * Opens and checks a password that is being set.
 * @throws DomainError passwordUndecipherable, passwordRule, passwordCommon, passwordPersonal
 */
export async function openNewPassword(
  core: Pick<IdentityCore, 'passwords' | 'passwordMaxLength'>,
  { jwe, field, personal }: NewPassword,
): Promise<string> {
  const password = await core.passwords.decrypt(jwe);
  const maxLength = core.passwordMaxLength;
  if (!isPasswordAllowed(password, maxLength)) {
    throw new DomainError('passwordRule', { maxLength }, { [field]: 'error.passwordRule' });
  }
  refuseWeak(weaknessOf(password, await loadCommonPasswords(), [productName, ...personal]), field);
  return password;
}

function refuseWeak(weakness: Weakness | null, field: string): void {
  if (weakness === null) return;
  throw new DomainError(weakness.key, { part: weakness.part }, { [field]: `error.${weakness.key}` });
}

/** What others know of a person, and would try: the names, and the email address without what all addresses end with. */
export function wordsOf(person: {
  email: string;
  companyName?: string;
  firstName?: string;
  lastName?: string;
}): string[] {
  const { email, companyName = '', firstName = '', lastName = '' } = person;
  return [email.replace(/\.[^.@]*$/, ''), companyName, firstName, lastName, `${lastName}${firstName}`];
}

/**
 * Sets a new password with the code from the mail. The same statements run whether or not the address is known.
 * @throws DomainError codeWrong, codeRequestBurnt, passwordRule, passwordCommon, passwordPersonal, passwordUndecipherable,
 * tooManyRequests
 */
export async function forgetPassword(context: OpenIdentityContext, body: Body<typeof forgetCall>): Promise<void> {
  const personal = wordsOf({ email: body.email });
  const accepted = await acceptPassword(context, { jwe: body.newPassword, field: 'newPassword', personal });
  const member = await context.database.withoutCompany((tx) => findByEmail(tx, body.email));
  await context.database.withCompany(member?.companyId ?? nilCompany, async (tx) => {
    await consumeCode(tx, context, addressHolder(context, body, 'forget'), body.code);
    await clearEvents(tx, soonBucket('forget', emailMac(context, body.email), context));
    // A guessed code for an address without a member: none was mailed.
    if (!member) throw new DomainError('codeWrong', {}, { code: 'error.codeWrong' });
    // Only the owner of the mailbox gets here and learns whether it is the company's name that the password has.
    const owner = await findMember(tx, member.userId);
    if (owner) accepted.refusePersonal(wordsOf(owner));
    // An invited member has no password to forget, and was mailed no code.
    if (!(await updatePassword(tx, member.userId, accepted.hash))) {
      throw new DomainError('codeWrong', {}, { code: 'error.codeWrong' });
    }
    await endAccess(tx, member.userId, null);
    await recordSecurity(tx, context, {
      userId: member.userId,
      what: 'passwordChanged',
      action: 'identity.resetPassword',
      actor: { kind: 'user', id: member.userId, ip: context.ip, requestId: context.requestId },
    });
    await forgetStrangers(tx, context, { userId: member.userId, email: body.email });
  });
}

/** Another password makes void what strangers have tried against the last: their failures and wrong codes count no more. */
export async function forgetStrangers(
  tx: Tx,
  core: IdentityCore,
  { userId, email }: { userId: string; email: string },
): Promise<void> {
  await clearEvents(tx, loginBucket(emailMac(core, email)));
  await clearEvents(tx, wrongCodeBucket(userId, null));
}

/**
 * Changes the password of the person signed in, and ends every other session.
 * @throws DomainError passwordWrong, passwordRule, passwordCommon, passwordPersonal, passwordSame, passwordUndecipherable, codeWrong, codeBurnt,
 * mfaNotBound, tooManyRequests
 */
export async function changePassword(context: OpenMemberContext, body: Body<typeof changeCall>): Promise<void> {
  const { companyId, userId, id } = context.session;
  const currentHash = await requirePassword(context, body.currentPassword, 'currentPassword');
  const owner = await context.database.withCompany(companyId, (tx) => findMember(tx, userId));
  const personal = owner ? wordsOf(owner) : [];
  const password = await openNewPassword(context, { jwe: body.newPassword, field: 'newPassword', personal });
  if (await context.passwords.matches(currentHash, password)) {
    throw new DomainError('passwordSame', {}, { newPassword: 'error.passwordSame' });
  }
  const passwordHash = await context.passwords.hash(password);
  await context.database.withCompany(companyId, async (tx) => {
    if (body.method === 'otp_auth') await consumeTotp(tx, context, { userId }, body.code);
    else await consumeCode(tx, context, memberHolder(userId, 'update_psd'), body.code);
    // Another request changed the password after the comparison.
    if (!(await updatePassword(tx, userId, passwordHash, currentHash))) throw new DomainError('passwordWrong');
    await endAccess(tx, userId, id);
    await recordSecurity(tx, context, {
      userId,
      what: 'passwordChanged',
      action: 'identity.changePassword',
      actor: actorOf(context),
    });
  });
}

/**
 * Compares the password of the person signed in; wrong ones are counted by member.
 * @returns the hash it was compared with.
 * @throws DomainError passwordWrong, passwordUndecipherable, tooManyRequests
 */
export async function requirePassword(context: OpenMemberContext, jwe: string, field: string): Promise<string> {
  const { session } = context;
  const password = await context.passwords.decrypt(jwe);
  const bucket = `password:member:${session.userId}`;
  await countTry(context, [{ bucket, limit: context.limits.loginBrowser, windowMs: context.limits.loginWindowMs }]);
  const credential = await context.database.withCompany(session.companyId, (tx) => findCredential(tx, session.userId));
  const right = await context.passwords.matches(credential?.passwordHash ?? null, password);
  if (!right || !credential) throw new DomainError('passwordWrong', {}, { [field]: 'error.passwordWrong' });
  await context.database.withoutCompany((tx) => clearEvents(tx, bucket));
  return credential.passwordHash;
}
