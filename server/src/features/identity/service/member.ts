import { randomBytes } from 'node:crypto';
import type { Body } from '@causeway/contract/call.ts';
import { readMobile } from '@causeway/contract/calling-codes.ts';
import type { User } from '@causeway/contract/identity.ts';
import type { updateUser as updateCall } from '@causeway/contract/identity-account.ts';
import type { Language } from '@causeway/contract/locale.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { alikeTo, isSameName } from '../../../platform/text/names.ts';
import { grouped, memberName } from '../domain.ts';
import { sayFreeze } from '../freeze.ts';
import { findMember, findMemberNames, type Profile, updateLanguage, updateProfile } from '../store/members.ts';
import type { MemberContext } from './dependencies.ts';

/** What a member quotes to support: CW-XXXX-XXXX-XXXX. */
export function newIdentifier(): string {
  return grouped('CW', randomBytes(12));
}

/** The person signed in. @throws DomainError sessionEnded when the member was disabled meanwhile. */
export async function getUser(tx: Tx, context: MemberContext): Promise<User> {
  const { session, locale } = context;
  const member = await findMember(tx, session.userId);
  const place = await context.describePlace(tx, session.userId, locale);
  if (!member) throw new DomainError('sessionEnded');
  return {
    id: member.id,
    identifierId: member.identifier,
    email: member.email,
    firstName: member.firstName,
    lastName: member.lastName,
    legalName: member.companyName,
    companyId: session.companyId,
    companyName: member.companyName,
    language: member.language,
    roleId: member.roleId,
    role: place.role,
    department: place.department,
    mobileCountryCode: member.mobileCountryCode,
    mobile: member.mobile,
    permissions: [...session.permissions],
    hasOtp: member.hasOtp,
    createdAt: member.createdAt.toISOString(),
    lastLoginAt: member.lastLoginAt?.toISOString() ?? null,
    companyFrozen: sayFreeze(member.companyFreeze, locale),
    look: null,
  };
}

/** Changes the language of the person signed in, for mails as well. */
export async function setLanguage(
  tx: Tx,
  context: SignedInContext,
  { language }: { language: Language },
): Promise<void> {
  const { userId } = context.session;
  const before = await findMember(tx, userId);
  // A sign-in sends the choice of its browser, which is usually the one that is stored.
  if (before?.language === language) return;
  await updateLanguage(tx, userId, language);
  await audit(tx, {
    actor: actorOf(context),
    action: 'identity.setLanguage',
    subjectKind: 'member',
    subjectId: userId,
    detail: { language: { before: before?.language ?? null, after: language } },
  });
}

/**
 * Refuses a name that could be taken for a colleague's, a former one's too, because it is written with other characters. The very
 * same name is allowed: people share names, and their email tells them apart (docs/adr/0047).
 * @throws DomainError nameAlike
 */
export async function refuseAlikeName(
  tx: Tx,
  id: string,
  person: { firstName: string; lastName: string },
): Promise<void> {
  const name = memberName({ ...person, email: '' });
  const isAlike = alikeTo(name);
  for (const [otherId, other] of await findMemberNames(tx, null)) {
    if (otherId === id || isSameName(name, other) || !isAlike(other)) continue;
    throw new DomainError('nameAlike', { name: other }, { firstName: 'error.nameAlike' });
  }
}

/**
 * Changes what a person says of themselves.
 * @throws DomainError nameAlike; sessionEnded when the member was disabled meanwhile
 */
export async function updateUser(tx: Tx, context: SignedInContext, body: Body<typeof updateCall>): Promise<void> {
  const { userId } = context.session;
  const { firstName, lastName, mobileCountryCode, mobile } = body;
  const read = mobileCountryCode === null || mobile === null ? null : readMobile(mobileCountryCode, mobile);
  invariant(typeof read !== 'string', 'the contract lets no wrong number through');
  const after: Profile = {
    firstName,
    lastName,
    mobileCountryCode: read?.countryCode ?? null,
    mobile: read?.number ?? null,
  };
  const before = await updateProfile(tx, userId, after);
  if (!before) throw new DomainError('sessionEnded');
  if (memberName({ ...before, email: '' }) !== memberName({ ...after, email: '' })) {
    await refuseAlikeName(tx, userId, after);
  }
  await audit(tx, {
    actor: actorOf(context),
    action: 'identity.updateUser',
    subjectKind: 'member',
    subjectId: userId,
    detail: { before, after },
  });
}
