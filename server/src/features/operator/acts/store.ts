import type { ErrorDetails, ErrorKey } from '@causeway/contract/errors.ts';
import type { ProposalKind } from '@causeway/contract/operator-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../platform/database/database.ts';

/** What two operators have agreed on and the worker carries out. */
export interface Act {
  proposalId: string;
  kind: ProposalKind;
  companyId: string;
  subjectId: string;
  /** What the subject was called. */
  subjectName: string | null;
  input: Record<string, unknown>;
  /** What was there when it was proposed, and still when it was confirmed. */
  before: Record<string, unknown>;
  reason: string;
  proposedBy: string;
  confirmedBy: string;
}

export interface ActRow extends Act {
  state: 'pending' | 'done' | 'refused';
  loggedAt: Date | null;
}

const columns: RawBuilder<ActRow> = sql`proposal_id as "proposalId", kind, company_id as "companyId", subject_id as "subjectId",
  subject_name as "subjectName", input, before, reason, proposed_by as "proposedBy", confirmed_by as "confirmedBy", state, logged_at as "loggedAt"`;

export async function insertAct(tx: Tx, act: Act): Promise<void> {
  await sql`
    insert into operator_act (proposal_id, kind, company_id, subject_id, subject_name, input, before, reason, proposed_by, confirmed_by)
    values (${act.proposalId}, ${act.kind}, ${act.companyId}, ${act.subjectId}, ${act.subjectName}, ${JSON.stringify(act.input)}::jsonb,
      ${JSON.stringify(act.before)}::jsonb, ${act.reason}, ${act.proposedBy}, ${act.confirmedBy})`.execute(tx);
}

export async function findAct(tx: PlatformTx, proposalId: string): Promise<ActRow | null> {
  const { rows } = await sql<ActRow>`select ${columns} from operator_act where proposal_id = ${proposalId}`.execute(tx);
  return rows[0] ?? null;
}

/** Locks it until the transaction ends. @returns whether it is still to be done */
export async function lockPending(tx: PlatformTx, proposalId: string): Promise<boolean> {
  const { rows } = await sql`
    select from operator_act where proposal_id = ${proposalId} and state = 'pending' for update`.execute(tx);
  return rows.length > 0;
}

export async function endDone(tx: PlatformTx, proposalId: string, result: Record<string, unknown>): Promise<void> {
  await sql`
    update operator_act set state = 'done', ended_at = now(), result = ${JSON.stringify(result)}::jsonb
    where proposal_id = ${proposalId}`.execute(tx);
}

/** Nothing where it has ended meanwhile. */
export async function endRefused(
  tx: PlatformTx,
  proposalId: string,
  { key, details }: { key: ErrorKey; details: ErrorDetails },
): Promise<void> {
  await sql`
    update operator_act set state = 'refused', ended_at = now(), refusal = ${key}, details = ${JSON.stringify(details)}::jsonb
    where proposal_id = ${proposalId} and state = 'pending'`.execute(tx);
}

/** @returns how it ended, or null where its end is in the log already, or it has none */
export async function markLogged(tx: PlatformTx, proposalId: string): Promise<'done' | 'refused' | null> {
  const { rows } = await sql<{ state: 'done' | 'refused' }>`
    update operator_act set logged_at = now()
    where proposal_id = ${proposalId} and state <> 'pending' and logged_at is null returning state`.execute(tx);
  return rows[0]?.state ?? null;
}

export interface ActEnd {
  state: ActRow['state'];
  endedAt: Date | null;
  refusal: ErrorKey | null;
  details: ErrorDetails;
}

/** What became of it, for who reads its proposal. */
export async function findActEnd(tx: PlatformTx, proposalId: string): Promise<ActEnd | null> {
  const { rows } = await sql<ActEnd>`
    select state, ended_at as "endedAt", refusal, details from operator_act where proposal_id = ${proposalId}`.execute(
    tx,
  );
  return rows[0] ?? null;
}
