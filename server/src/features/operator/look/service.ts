import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { User } from '@causeway/contract/identity.ts';
import type { beginLook } from '@causeway/contract/operator-look.ts';
import { operatorPermissionsOf } from '@causeway/contract/operator-rules.ts';
import { type Permission, systemRoleIds, systemRolePermissions } from '@causeway/contract/permission.ts';
import { audit } from '../../../platform/audit/record.ts';
import { newToken, sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import { type Authenticate, actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { findOwnFreeze, sayFreeze } from '../../identity/index.ts';
import { findCompany } from '../companies/store.ts';
import type { StaffContext } from '../console/dependencies.ts';
import { endLookSession, findLook, findLookedAt, insertLookSession, noteLook } from './store.ts';

/** Beginning a look, and the session that it is. */

/** Where looks are opened; null where the installation serves none. */
export interface LookPorts {
  lookUrl: string | null;
}

/** @throws DomainError notFound, lookUnavailable */
export async function begin(
  tx: Tx,
  context: StaffContext & LookPorts,
  { id: companyId, reason }: Body<typeof beginLook> & { id: string },
): Promise<OutputInput<typeof beginLook>> {
  if (context.lookUrl === null) throw new DomainError('lookUnavailable');
  const company = await findCompany(tx, companyId);
  if (!company) throw new DomainError('notFound');
  const [id, token] = [newId(), newToken()];
  const { id: operatorSessionId, userId: operatorId } = context.session;
  const look = { id, operatorSessionId, operatorId, companyId, tokenSha256: sha256(token), reason };
  const expiresAt = await insertLookSession(tx, look);
  await noteLook(tx, id, newId());
  await audit(tx, {
    actor: actorOf(context),
    action: 'operator.lookAs',
    subjectKind: 'company',
    subjectId: companyId,
    detail: { name: company.name, reason },
  });
  // A fragment is not sent to a server, and is in no log.
  return { url: `${context.lookUrl}/look#${token}`, expiresAt: expiresAt.toISOString() };
}

/** What a page asks for before it offers a step that no reading call needs. */
const writesAlone: readonly Permission[] = [
  'transfer.create',
  'exchange.create',
  'approval.decide',
  'payee.manage',
  'policy.manage',
  'list.manage',
];
const lookPermissions = systemRolePermissions.administrator.filter((permission) => !writesAlone.includes(permission));

/** A look's session is that of no member: what is a member's own is empty in it. */
export function authenticateLook(database: Database): Authenticate {
  return async (token, active) => {
    const look = await database.withoutCompany((tx) => findLook(tx, sha256(token), active));
    if (!look || !operatorPermissionsOf[look.role].includes('operator.look')) return null;
    return {
      id: look.id,
      companyId: look.companyId,
      userId: look.id,
      userName: look.name,
      permissions: lookPermissions,
      isLook: true,
    };
  };
}

export interface LookContext extends OpenContext {
  /** As the console's own role, and as the role that looks. */
  databases: { console: Database; look: Database };
}

/** Who looks, in the place of the member signed in. @throws DomainError sessionEnded */
export async function lookUser({ databases, session, locale }: LookContext): Promise<User> {
  const look = await databases.console.withoutCompany((tx) => findLookedAt(tx, session.id));
  if (!look) throw new DomainError('sessionEnded');
  const freeze = await databases.look.withCompany(session.companyId, findOwnFreeze);
  return {
    id: session.userId,
    identifierId: '',
    email: look.email,
    firstName: session.userName,
    lastName: '',
    legalName: look.companyName,
    companyId: session.companyId,
    companyName: look.companyName,
    language: look.language,
    roleId: systemRoleIds.administrator,
    role: translate(locale, 'operator.look.role'),
    department: null,
    mobileCountryCode: null,
    mobile: null,
    permissions: [...session.permissions],
    hasOtp: true,
    createdAt: look.companyCreatedAt.toISOString(),
    lastLoginAt: null,
    companyFrozen: sayFreeze(freeze, locale),
    look: { until: look.until.toISOString() },
  };
}

export async function endLook({ databases, session }: LookContext): Promise<void> {
  await databases.console.withoutCompany((tx) => endLookSession(tx, session.id));
}
