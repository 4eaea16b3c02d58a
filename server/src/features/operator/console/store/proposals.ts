import { listProposals } from '@causeway/contract/operator.ts';
import type { ProposalKind, ProposalState } from '@causeway/contract/operator-rules.ts';
import { proposalLifetimeDays } from '@causeway/contract/operator-rules.ts';
import { type RawBuilder, sql } from 'kysely';
import type { PlatformTx, Tx } from '../../../../platform/database/database.ts';
import { defineList } from '../../../../platform/database/list.ts';

export interface ProposalRow {
  id: string;
  kind: ProposalKind;
  subjectKind: string;
  subjectId: string;
  subjectName: string | null;
  input: Record<string, unknown>;
  before: Record<string, unknown>;
  reason: string;
  proposedBy: string;
  proposerName: string;
  proposedAt: Date;
  expiresAt: Date;
  /** `expired` also where its time is over and no one has come to note it. */
  state: ProposalState;
  decidedBy: string | null;
  deciderName: string | null;
  decidedAt: Date | null;
  decisionReason: string | null;
}

const stateNow = sql`case when p.state = 'open' and p.expires_at <= now() then 'expired' else p.state end`;
const joined = sql`operator_proposal p join operator_account proposer on proposer.id = p.proposed_by
  left join operator_account decider on decider.id = p.decided_by`;
const columns: RawBuilder<ProposalRow> = sql`p.id, p.kind, p.subject_kind as "subjectKind", p.subject_id as "subjectId",
  p.subject_name as "subjectName", p.input, p.before, p.reason, p.proposed_by as "proposedBy",
  proposer.name as "proposerName", p.proposed_at as "proposedAt", p.expires_at as "expiresAt", ${stateNow} as state,
  p.decided_by as "decidedBy", decider.name as "deciderName", p.decided_at as "decidedAt",
  p.decision_reason as "decisionReason"`;

/** Who could decide, and on which kinds. */
export interface Decider {
  operatorId: string;
  kinds: readonly ProposalKind[];
}

/** Neither what one proposed oneself, nor what is about oneself. */
function decidable({ operatorId, kinds }: Decider): RawBuilder<unknown> {
  return sql`p.state = 'open' and p.expires_at > now() and p.kind = any (${[...kinds]}::text[])
    and p.proposed_by <> ${operatorId} and p.subject_id <> ${operatorId}`;
}

export const proposalList = defineList(listProposals, {
  from: () => joined,
  where: (_: Decider) => sql`true`,
  filters: {
    state: (state) => sql`${stateNow} = ${state}`,
    kind: (kind) => sql`p.kind = ${kind}`,
    mine: (_mine, decider) => decidable(decider),
  },
  columns: () => columns,
  orders: { time: { by: sql`p.proposed_at`, kind: 'time' } },
  first: { sort: 'time', order: 'desc' },
  id: sql`p.id`,
});

export async function countDecidable(tx: Tx, decider: Decider): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*) as n from operator_proposal p where ${decidable(decider)}`.execute(tx);
  return rows[0]?.n ?? 0;
}

export async function findProposal(tx: Tx, id: string): Promise<ProposalRow | null> {
  const { rows } = await sql<ProposalRow>`select ${columns} from ${joined} where p.id = ${id}`.execute(tx);
  return rows[0] ?? null;
}

/** The same, locked until the transaction's end: of two decisions the second finds the first. */
export async function lockProposal(tx: Tx, id: string): Promise<ProposalRow | null> {
  await sql`select from operator_proposal where id = ${id} for update`.execute(tx);
  return findProposal(tx, id);
}

export interface NewProposal {
  id: string;
  kind: ProposalKind;
  subjectKind: string;
  subjectId: string;
  subjectName: string | null;
  input: unknown;
  before: unknown;
  reason: string;
  proposedBy: string;
}

/** False when one of this kind is open for the subject. */
export async function insertProposal(tx: Tx, made: NewProposal): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into operator_proposal (id, kind, subject_kind, subject_id, subject_name, input, before, reason, proposed_by, expires_at)
    values (${made.id}, ${made.kind}, ${made.subjectKind}, ${made.subjectId}, ${made.subjectName},
      ${JSON.stringify(made.input)}::jsonb, ${JSON.stringify(made.before)}::jsonb, ${made.reason}, ${made.proposedBy},
      now() + make_interval(days => ${proposalLifetimeDays}))
    on conflict (kind, subject_id) where state = 'open' do nothing`.execute(tx);
  return numAffectedRows === 1n;
}

/** An open invitation of this email address, of any proposer. */
export async function hasOpenInvitation(tx: Tx, email: string): Promise<boolean> {
  const { rows } = await sql`
    select from operator_proposal
    where kind = 'staff.invite' and state = 'open' and expires_at > now() and lower(input ->> 'email') = lower(${email})`.execute(
    tx,
  );
  return rows.length > 0;
}

/** Ends an open proposal; `by` is null where its proposer withdraws it, or its time is over. */
export async function endProposal(
  tx: Tx,
  id: string,
  end: { state: Exclude<ProposalState, 'open'>; by: string | null; reason: string | null },
): Promise<void> {
  await sql`
    update operator_proposal set state = ${end.state}, decided_by = ${end.by}, decided_at = now(), decision_reason = ${end.reason}
    where id = ${id}`.execute(tx);
}

/** The open proposals of one kind and subject whose time is over. */
export async function findOverdue(tx: Tx, kind: ProposalKind, subjectId: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from operator_proposal
    where kind = ${kind} and subject_id = ${subjectId} and state = 'open' and expires_at <= now()`.execute(tx);
  return rows.map(({ id }) => id);
}

/** Withdraws what someone proposed who may no longer do so. @returns the ids */
export async function withdrawAllOf(
  tx: PlatformTx,
  operatorId: string,
  which: { reason: string; exceptKinds: readonly ProposalKind[] },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update operator_proposal set state = 'withdrawn', decided_at = now(), decision_reason = ${which.reason}
    where proposed_by = ${operatorId} and state = 'open' and kind <> all (${[...which.exceptKinds]}::text[])
    returning id`.execute(tx);
  return rows.map(({ id }) => id);
}
