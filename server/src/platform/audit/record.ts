import { sql } from 'kysely';
import type { Tx } from '../database/database.ts';
import { newId } from '../ids.ts';

/** Who did it: a person of the company, the operator, or the system itself. */
export interface Actor {
  kind: 'user' | 'operator' | 'system';
  id: string;
  ip?: string;
  requestId?: string;
}

export interface AuditEntry {
  actor: Actor;
  /** Feature and verb: `identity.signIn`, `payees.delete`. */
  action: string;
  subjectKind: string;
  subjectId: string;
  /**
   * What changed, without secrets: `{ before: { … }, after: { … } }`, or `{ field: { before, after } }`, beside other facts.
   * A name (`name`, `label`) in it says what the subject was called then.
   */
  detail?: Record<string, unknown>;
}

/** Writes into the company's append-only audit trail, in the transaction of what it records. @returns its id */
export async function audit(tx: Tx, entry: AuditEntry): Promise<string> {
  const { actor } = entry;
  const id = newId();
  await sql`
    insert into audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id, detail, ip, request_id)
    values (company_id(), ${id}, ${actor.kind}, ${actor.id}, ${entry.action}, ${entry.subjectKind}, ${entry.subjectId},
      ${JSON.stringify(entry.detail ?? {})}, ${actor.ip ?? null}, ${actor.requestId ?? null})`.execute(tx);
  return id;
}
