import type { Body } from '@causeway/contract/call.ts';
import type { changePassword as changeCall, forgetPassword as forgetCall } from '@causeway/contract/identity.ts';
import { addressBucket } from '../../../platform/address-bucket.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type RequestContext, type SignedInContext } from '../../../platform/session.ts';
import { clearEvents } from '../../../platform/throttle.ts';
import { isPasswordAllowed, nilCompany } from '../domain.ts';
import { findByEmail } from '../store/lookups.ts';
import { findCredential, updatePassword } from '../store/members.ts';
import { endAccess } from '../store/sessions.ts';
import { consumeTotp } from './authenticator.ts';
import { addressHolder, consumeCode, emailMac, memberHolder } from './code.ts';
import type { IdentityCore } from './core.ts';
import { recordSecurity } from './security-event.ts';
import { countTry, loginBucket } from './tries.ts';

/**
 * Opens, checks and hashes a new password for somebody not signed in. The hash is dear, so it is counted by address.
 * @throws DomainError passwordUndecipherable, passwordRule (with `field`), tooManyRequests
 */
export async function acceptPassword(
  core: IdentityCore,
  jwe: string,
  field: string,
  { ip }: RequestContext,
): Promise<string> {
  const password = await openNewPassword(core, jwe, field);
  const { resetsAddress: limit, codeWindowMs: windowMs } = core.limits;
  await countTry(core, [{ bucket: `reset:address:${addressBucket(ip)}`, limit, windowMs }]);
  return core.passwords.hash(password);
}

async function openNewPassword(core: IdentityCore, jwe: string, field: string): Promise<string> {
  const password = await core.passwords.decrypt(jwe);
  const maxLength = core.passwordMaxLength;
  if (!isPasswordAllowed(password, maxLength)) {
    throw new DomainError('passwordRule', { maxLength }, { [field]: 'error.passwordRule' });
  }
  return password;
}

/**
 * Sets a new password with the code from the mail. The same statements run whether or not the address is known.
 * @throws DomainError codeWrong, codeBurnt, passwordRule, passwordUndecipherable, tooManyRequests
 */
export async function forgetPassword(
  core: IdentityCore,
  body: Body<typeof forgetCall>,
  context: RequestContext,
): Promise<void> {
  const passwordHash = await acceptPassword(core, body.newPassword, 'newPassword', context);
  const member = await core.database.withoutCompany((tx) => findByEmail(tx, body.email));
  await core.database.withCompany(member?.companyId ?? nilCompany, async (tx) => {
    await consumeCode(core, tx, addressHolder(core, body.email, 'forget'), body.code);
    // Somebody guessed the code of an address without a member: nobody was mailed it.
    if (!member) throw new DomainError('codeWrong', {}, { code: 'error.codeWrong' });
    // Somebody invited has no password to forget, and was mailed no code.
    if (!(await updatePassword(tx, member.userId, passwordHash))) {
      throw new DomainError('codeWrong', {}, { code: 'error.codeWrong' });
    }
    await endAccess(tx, member.userId, null);
    await recordSecurity(tx, context, {
      userId: member.userId,
      what: 'passwordChanged',
      action: 'identity.resetPassword',
      actor: { kind: 'user', id: member.userId, ip: context.ip, requestId: context.requestId },
    });
    await clearEvents(tx, loginBucket(emailMac(core, body.email)));
  });
}

/**
 * Changes the password of the person signed in, and ends every other session.
 * @throws DomainError passwordWrong, passwordRule, passwordSame, passwordUndecipherable, codeWrong, codeBurnt,
 * mfaNotBound, tooManyRequests
 */
export async function changePassword(
  core: IdentityCore,
  body: Body<typeof changeCall>,
  context: SignedInContext,
): Promise<void> {
  const { companyId, userId, id } = context.session;
  const currentHash = await requirePassword(core, body.currentPassword, 'currentPassword', context);
  const password = await openNewPassword(core, body.newPassword, 'newPassword');
  if (await core.passwords.matches(currentHash, password)) {
    throw new DomainError('passwordSame', {}, { newPassword: 'error.passwordSame' });
  }
  const passwordHash = await core.passwords.hash(password);
  await core.database.withCompany(companyId, async (tx) => {
    if (body.method === 'otp_auth') await consumeTotp(core, tx, userId, body.code);
    else await consumeCode(core, tx, memberHolder(userId, 'update_psd'), body.code);
    // Somebody changed it since it was compared.
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
export async function requirePassword(
  core: IdentityCore,
  jwe: string,
  field: string,
  { session }: SignedInContext,
): Promise<string> {
  const password = await core.passwords.decrypt(jwe);
  const bucket = `password:member:${session.userId}`;
  await countTry(core, [{ bucket, limit: core.limits.loginAccount, windowMs: core.limits.loginWindowMs }]);
  const credential = await core.database.withCompany(session.companyId, (tx) => findCredential(tx, session.userId));
  const right = await core.passwords.matches(credential?.passwordHash ?? null, password);
  if (!right || !credential) throw new DomainError('passwordWrong', {}, { [field]: 'error.passwordWrong' });
  await core.database.withoutCompany((tx) => clearEvents(tx, bucket));
  return credential.passwordHash;
}
