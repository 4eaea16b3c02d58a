import { randomBytes } from 'node:crypto';
import { type Actor, audit } from '../../../platform/audit/record.ts';
import { sha256 } from '../../../platform/crypto/secrets.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
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
  const actor: Actor = { kind: 'operator', id: made.operator };
  return database.withCompany(nilCompany, (tx) => makeInvitation(tx, { ...made, actor }));
}

/** The same in a transaction of the nil company. */
export async function makeInvitation(
  tx: Tx,
  { label, expiresAt, actor }: { label: string; expiresAt: Date; actor: Actor },
): Promise<{ id: string; code: string; expiresAt: Date }> {
  const id = newId();
  const code = grouped('CW', randomBytes(16));
  await insertInvitation(tx, { id, codeSha256: sha256(typedKey(code)), label, expiresAt });
  await audit(tx, {
    actor,
    action: 'identity.createInvitation',
    subjectKind: 'invitation',
    subjectId: id,
    detail: { label, expiresAt: expiresAt.toISOString() },
  });
  return { id, code, expiresAt };
}

/** Revokes an invitation; false when there is none of this id that could still be used. */
export async function revokeInvitation(database: Database, id: string, operator: string): Promise<boolean> {
  return database.withCompany(nilCompany, (tx) => endInvitation(tx, id, { kind: 'operator', id: operator }));
}

/** The same in a transaction of the nil company. */
export async function endInvitation(tx: Tx, id: string, actor: Actor): Promise<boolean> {
  if (!(await markRevoked(tx, id))) return false;
  await audit(tx, { actor, action: 'identity.revokeInvitation', subjectKind: 'invitation', subjectId: id });
  return true;
}

/** The newest invitations, without their codes. */
export async function listInvitations(database: Database, limit = 100): Promise<Invitation[]> {
  return database.withoutCompany((tx) => findInvitations(tx, limit));
}
