import { audit } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import { sha256 } from '../../../platform/secrets.ts';
import { type Authenticate, actorOf, type SignedInContext } from '../../../platform/session.ts';
import { memberName, permissionsOf } from '../domain.ts';
import { findSession } from '../store/lookups.ts';
import { endSession } from '../store/sessions.ts';

export function authenticateWith(database: Database): Authenticate {
  return async (token, active) => {
    const row = await findSession(database, sha256(token), active);
    if (!row) return null;
    return {
      id: row.sessionId,
      companyId: row.companyId,
      userId: row.userId,
      userName: memberName(row),
      permissions: permissionsOf(row.roleId, row.roleActive === false ? [] : row.permissions),
    };
  };
}

/** Ends the session that asks for it. */
export async function logout(database: Database, context: SignedInContext): Promise<void> {
  const { session } = context;
  await database.withCompany(session.companyId, async (tx) => {
    await endSession(tx, session.id);
    await audit(tx, {
      actor: actorOf(context),
      action: 'identity.signOut',
      subjectKind: 'session',
      subjectId: session.id,
    });
  });
}
