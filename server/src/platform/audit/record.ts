import { sql } from 'kysely';
import type { CompaniesTx, Tx } from '../database/database.ts';
import { uuids } from '../database/sets.ts';
import { invariant } from '../domain-error.ts';
import { newId } from '../ids.ts';
import type { AuditSubjectKind } from './event-declaration.ts';
import type { AuditAction } from './events.ts';

/** Who did it: a person of the company, the operator, or the system itself. */
export interface Actor {
  kind: 'user' | 'operator' | 'system';
  id: string;
  ip?: string;
  requestId?: string;
}

export interface AuditEntry {
  actor: Actor;
  /** Feature and verb, declared in `events.ts` with the fields of its detail. */
  action: AuditAction;
  subjectKind: AuditSubjectKind;
  subjectId: string;
  /**
   * What changed, without secrets: `{ before: { … }, after: { … } }`, or `{ field: { before, after } }`, beside other facts.
   * A name (`name`, `label`) in it says what the subject was called then.
   */
  detail?: Record<string, unknown>;
}

/** Writes into the company's append-only audit trail, in the transaction of what it records. @returns its id */
export async function audit(tx: Tx, entry: AuditEntry): Promise<string> {
  const [id] = await auditAll(tx, [{ companyId: tx.companyId, ...entry }]);
  invariant(id, 'an entry has an id');
  return id;
}

/** The same for several entries, each in its company's trail. @returns their ids, in order */
export async function auditAll(
  tx: CompaniesTx,
  entries: readonly (AuditEntry & { companyId: string })[],
): Promise<string[]> {
  const rows = entries.map((entry) => ({ id: newId(), ...entry }));
  const column = <T>(of: (row: (typeof rows)[number]) => T) => rows.map(of);
  await sql`
    insert into audit_event (company_id, id, actor_kind, actor_id, action, subject_kind, subject_id, ip, request_id, detail)
    select * from rows from (unnest(${uuids(column(({ companyId }) => companyId))}, ${column(({ id }) => id)}::uuid[],
      ${column(({ actor }) => actor.kind)}::text[], ${column(({ actor }) => actor.id)}::text[],
      ${column(({ action }) => action)}::text[], ${column(({ subjectKind }) => subjectKind)}::text[],
      ${column(({ subjectId }) => subjectId)}::text[], ${column(({ actor }) => actor.ip ?? null)}::text[],
      ${column(({ actor }) => actor.requestId ?? null)}::text[]),
      jsonb_array_elements(${JSON.stringify(column(({ detail }) => detail ?? {}))}::jsonb))`.execute(tx);
  return column(({ id }) => id);
}
