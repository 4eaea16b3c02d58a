import { randomBytes } from 'node:crypto';
import { audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import { newId } from '../../../platform/ids.ts';
import { grouped, nilCompany, typedKey } from '../domain.ts';
import { findInvitations, type Invitation, insertInvitation, markRevoked } from '../store/invitations.ts';

/** The operator's side of invitations; `database` is connected as causeway_operator. */

/**
 * Makes an invitation, for one company, until it expires.
 * @returns its code, which is shown this once: only its hash is kept.
 */
export async function createInvitation(
  database: Database,
  made: { label: string; expiresAt: Date; operator: string },
): Promise<{ id: string; code: string; expiresAt: Date }> {
  const id = newId();
  const code = grouped('CW', randomBytes(16));
  await database.withCompany(nilCompany, async (tx) => {
    await insertInvitation(tx, { id, codeSha256: sha256(typedKey(code)), ...made });
    await audit(tx, {
      actor: { kind: 'operator', id: made.operator },
      action: 'identity.createInvitation',
      subjectKind: 'invitation',
      subjectId: id,
      detail: { label: made.label, expiresAt: made.expiresAt.toISOString() },
    });
  });
  return { id, code, expiresAt: made.expiresAt };
}

/** Revokes an invitation; false when there is none of this id that could still be used. */
export async function revokeInvitation(database: Database, id: string, operator: string): Promise<boolean> {
  return database.withCompany(nilCompany, async (tx) => {
    if (!(await markRevoked(tx, id))) return false;
    await audit(tx, {
      actor: { kind: 'operator', id: operator },
      action: 'identity.revokeInvitation',
      subjectKind: 'invitation',
      subjectId: id,
    });
    return true;
  });
}

/** The newest invitations, without their codes. */
export async function listInvitations(database: Database, limit = 100): Promise<Invitation[]> {
  return database.withoutCompany((tx) => findInvitations(tx, limit));
}
