import { audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
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
export async function logout(tx: Tx, context: SignedInContext): Promise<void> {
  const { session } = context;
  await endSession(tx, session.id);
  await audit(tx, {
    actor: actorOf(context),
    action: 'identity.signOut',
    subjectKind: 'session',
    subjectId: session.id,
  });
}
