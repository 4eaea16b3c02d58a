import { audit } from '../../../platform/audit/record.ts';
import { batching } from '../../../platform/batching.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { type Authenticate, actorOf, type SignedInContext } from '../../../platform/session.ts';
import { memberName, permissionsOf } from '../domain.ts';
import { findSessions, type SessionLookup, type SessionRow } from '../store/lookups.ts';
import { endSession } from '../store/sessions.ts';

/** Every call looks its session up. Calls that wait for a connection are looked up together, by one statement. */
export function authenticateWith(database: Database): Authenticate {
  const lookUp = batching<SessionLookup, SessionRow | null>({
    connections: 2,
    maxSize: 64,
    run: async (lookups) => (await findSessions(database, lookups)).map((answer) => ({ answer })),
    // A lone look-up is the same statement.
    failsForAll: () => true,
  });
  return async (token, active) => {
    const row = await lookUp({ tokenSha256: sha256(token), active });
    if (!row) return null;
    return {
      id: row.sessionId,
      companyId: row.companyId,
      userId: row.userId,
      userName: memberName(row),
      permissions: permissionsOf(row.roleId, row.roleActive === false ? [] : row.permissions),
      isFrozen: row.companyFrozen,
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
