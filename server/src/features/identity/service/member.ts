import type { User } from '@causeway/contract/identity.ts';
import type { Language } from '@causeway/contract/locale.ts';
import { systemRolePermissions } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { findMember, updateLanguage } from '../store/members.ts';

/** The person signed in. @throws DomainError sessionEnded when the member was disabled meanwhile. */
export async function getUser(database: Database, { session }: SignedInContext): Promise<User> {
  const member = await database.withCompany(session.companyId, (tx) => findMember(tx, session.userId));
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
    role: member.role,
    permissions: [...systemRolePermissions[member.role]],
    hasOtp: member.hasOtp,
    createdAt: member.createdAt.toISOString(),
    lastLoginAt: member.lastLoginAt?.toISOString() ?? null,
  };
}

/** Changes the language of the person signed in, for mails as well. */
export async function setLanguage(database: Database, context: SignedInContext, language: Language): Promise<void> {
  const { companyId, userId } = context.session;
  await database.withCompany(companyId, async (tx) => {
    const before = await findMember(tx, userId);
    await updateLanguage(tx, userId, language);
    await audit(tx, {
      actor: actorOf(context),
      action: 'identity.setLanguage',
      subjectKind: 'member',
      subjectId: userId,
      detail: { language: { before: before?.language ?? null, after: language } },
    });
  });
}
