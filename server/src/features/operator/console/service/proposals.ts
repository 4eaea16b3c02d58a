import type { Body, OutputInput, Query } from '@causeway/contract/call.ts';
import type { confirmProposal, getProposal, listProposals, Proposal } from '@causeway/contract/operator.ts';
import { type OperatorPermission, type ProposalKind, proposalPermissions } from '@causeway/contract/operator-rules.ts';
import { canonical } from '../../../../platform/audit/chain.ts';
import { type AuditEntry, audit } from '../../../../platform/audit/record.ts';
import { sha256 } from '../../../../platform/crypto/secrets.ts';
import type { Tx } from '../../../../platform/database/database.ts';
import { readPage } from '../../../../platform/database/list.ts';
import { announce } from '../../../../platform/database/outbox.ts';
import { DomainError, RememberedError } from '../../../../platform/domain-error.ts';
import { newId } from '../../../../platform/ids.ts';
import { actorOf } from '../../../../platform/session.ts';
import { translate } from '../../../../platform/text/texts.ts';
import { actConfirmed } from '../../acts/events.ts';
import { type Act, findActEnd, insertAct } from '../../acts/store.ts';
import type { OpenStaffContext, StaffContext } from '../dependencies.ts';
import { may } from '../domain.ts';
import { type AccountRow, findAccount, lockStaff } from '../store/accounts.ts';
import {
  type Decider,
  endProposal,
  findOverdue,
  findProposal,
  insertProposal,
  lockProposal,
  type ProposalRow,
  proposalList,
} from '../store/proposals.ts';
import { decidableKinds, kinds } from './kinds.ts';
import { withCode } from './own-proof.ts';

/**
 * What one operator proposes and another confirms (docs/adr/0069-…). A proposal is done in the transaction that confirms it, or recorded there as an act that the worker carries out. It expires
 * by the clock of its reader: the worker has no right to these tables, and only a reader or a decision could notice, so reads
 * show it as expired, and the next decision or proposal writes that down.
 */

/**
 * The operator as they are now, under the staff's lock: a session was let in before it.
 * @throws DomainError sessionEnded, noPermission
 */
export async function requireActing(
  tx: Tx,
  { session }: StaffContext,
  permission: OperatorPermission,
): Promise<AccountRow> {
  const account = await findAccount(tx, session.userId);
  if (account?.state !== 'active') throw new DomainError('sessionEnded');
  if (!may(account.role, permission)) throw new DomainError('noPermission');
  return account;
}

export interface Proposing {
  kind: ProposalKind;
  subjectId: string;
  subjectName: string | null;
  input: unknown;
  reason: string;
}

/** Makes a proposal; its caller holds the staff's lock. @returns its id @throws DomainError proposalOpen */
export async function propose(
  tx: Tx,
  context: StaffContext,
  { kind, subjectId, subjectName, input, reason }: Proposing,
): Promise<string> {
  const { subjectKind, before: read } = kinds[kind];
  for (const id of await findOverdue(tx, kind, subjectId)) await expire(tx, id, kind);
  const before = await read(tx, subjectId, input, { lock: true });
  const id = newId();
  const proposedBy = context.session.userId;
  const made = { id, kind, subjectKind, subjectId, subjectName, input, before, reason, proposedBy };
  if (!(await insertProposal(tx, made))) throw new DomainError('proposalOpen');
  await record(tx, context, 'proposal.propose', made);
  return id;
}

export async function list(
  tx: Tx,
  context: StaffContext,
  query: Query<typeof listProposals>,
): Promise<OutputInput<typeof listProposals>> {
  const page = await readPage(tx, proposalList, query, deciderOf(context));
  return { ...page, items: page.items.map((row) => shown(row, context)) };
}

/** @throws DomainError notFound */
export async function get(
  tx: Tx,
  context: StaffContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getProposal>> {
  const row = await findProposal(tx, id);
  if (!row) throw new DomainError('notFound');
  const { changes, before } = kinds[row.kind];
  const act = await findActEnd(tx, id);
  const now = row.state === 'open' ? await before(tx, row.subjectId, row.input, { lock: false }) : row.before;
  return {
    ...shown(row, context),
    changes: changes(context.locale, row.input, row.before),
    outdated: row.state === 'open' && (await isOutdated(tx, row, now)),
    digest: digestOf(row, now),
    act: act && {
      state: act.state,
      endedAt: act.endedAt?.toISOString() ?? null,
      refusal: act.refusal === null ? null : translate(context.locale, `error.${act.refusal}`, act.details),
    },
  };
}

/** Whether what it rests on has changed since it was proposed, or its proposer may propose it no more. */
async function isOutdated(tx: Tx, { proposedBy, kind, before }: ProposalRow, now: unknown): Promise<boolean> {
  const proposer = await findAccount(tx, proposedBy);
  const isEntitled = proposer?.state === 'active' && may(proposer.role, proposalPermissions[kind]);
  return !isEntitled || canonical(now) !== canonical(before);
}

/** Leaves to the worker what was confirmed, in the transaction that confirms it. */
async function startAct(tx: Tx, act: Act): Promise<void> {
  await insertAct(tx, act);
  await announce(tx, [{ name: actConfirmed, payload: { proposalId: act.proposalId } }]);
}

/**
 * Confirms it, and does it or leaves it to the worker, in one transaction: of two confirmations, or a confirmation and a withdrawal, one succeeds.
 * @throws DomainError notFound, proposalOwn, operatorSelf, noPermission, proposalDecided, codeBurnt; RememberedError proposalExpired,
 * proposalStale, codeWrong
 */
export async function confirm(
  context: OpenStaffContext,
  { id, digest, code }: Body<typeof confirmProposal> & { id: string },
): Promise<void> {
  await withCode(context, code, async (tx, useCode) => {
    const row = await lockForDecision(tx, context, id);
    const kind = kinds[row.kind];
    const now = await kind.before(tx, row.subjectId, row.input, { lock: true });
    if (await isOutdated(tx, row, now)) {
      await end(tx, context, row, { state: 'stale', reason: null });
      throw new RememberedError('proposalStale');
    }
    // Of another proposal, or of what was there before.
    if (digest !== digestOf(row, now)) throw new DomainError('proposalStale');
    await useCode();
    await end(tx, context, row, { state: 'confirmed', reason: null });
    if ('apply' in kind) await kind.apply(tx, context, row);
    else {
      await kind.leave?.(tx, context, row);
      await startAct(tx, {
        ...row,
        proposalId: row.id,
        confirmedBy: context.session.userId,
        companyId: kind.company(row),
      });
    }
  });
}

/** @throws DomainError notFound, proposalOwn, operatorSelf, noPermission, proposalDecided; RememberedError proposalExpired */
export async function reject(
  tx: Tx,
  context: StaffContext,
  { id, reason }: { id: string; reason: string },
): Promise<void> {
  const row = await lockForDecision(tx, context, id);
  await end(tx, context, row, { state: 'rejected', reason });
}

/** @throws DomainError notFound, noPermission (another's), proposalDecided; RememberedError proposalExpired */
export async function withdraw(tx: Tx, context: StaffContext, { id }: { id: string }): Promise<void> {
  const row = await lockOpen(tx, id, (found) => {
    if (found.proposedBy !== context.session.userId) throw new DomainError('noPermission');
  });
  await endProposal(tx, row.id, { state: 'withdrawn', by: null, reason: null });
  await record(tx, context, 'proposal.withdraw', row);
}

/** The proposal, locked, if this operator may decide on it now. */
async function lockForDecision(tx: Tx, context: StaffContext, id: string): Promise<ProposalRow> {
  const { userId } = context.session;
  await lockStaff(tx);
  const { role } = await requireActing(tx, context, 'operator.confirm');
  return lockOpen(tx, id, ({ kind, proposedBy, subjectId }) => {
    if (!decidableKinds(role).includes(kind)) throw new DomainError('noPermission');
    if (proposedBy === userId) throw new DomainError('proposalOwn');
    if (subjectId === userId) throw new DomainError('operatorSelf');
  });
}

async function lockOpen(tx: Tx, id: string, allow: (row: ProposalRow) => void): Promise<ProposalRow> {
  const row = await lockProposal(tx, id);
  if (!row) throw new DomainError('notFound');
  allow(row);
  if (row.state === 'expired' && row.decidedAt === null) await expire(tx, row.id, row.kind);
  if (row.state === 'expired') throw new RememberedError('proposalExpired');
  if (row.state !== 'open') throw new DomainError('proposalDecided');
  return row;
}

async function expire(tx: Tx, id: string, kind: ProposalKind): Promise<void> {
  await endProposal(tx, id, { state: 'expired', by: null, reason: null });
  await audit(tx, {
    actor: { kind: 'system', id: 'operator' },
    action: 'proposal.expire',
    subjectKind: 'proposal',
    subjectId: id,
    detail: { kind },
  });
}

const endActions = { confirmed: 'proposal.confirm', rejected: 'proposal.reject', stale: 'proposal.stale' } as const;

async function end(
  tx: Tx,
  context: StaffContext,
  row: ProposalRow,
  { state, reason }: { state: keyof typeof endActions; reason: string | null },
): Promise<void> {
  await endProposal(tx, row.id, { state, by: context.session.userId, reason });
  await record(tx, context, endActions[state], reason === null ? row : { ...row, reason });
}

async function record(
  tx: Tx,
  context: StaffContext,
  action: AuditEntry['action'],
  {
    id,
    kind,
    subjectId,
    subjectName,
    input,
    reason,
  }: Pick<ProposalRow, 'id' | 'kind' | 'subjectId' | 'subjectName' | 'reason'> & {
    input: unknown;
  },
): Promise<void> {
  await audit(tx, {
    actor: actorOf(context),
    action,
    subjectKind: 'proposal',
    subjectId: id,
    detail: { kind, name: subjectName, concerns: subjectId, input: recorded(input), reason },
  });
}

/** What the log has of an input: its subject is named once, beside it. */
function recorded(input: unknown): unknown {
  if (typeof input !== 'object' || input === null) return input;
  return Object.fromEntries(Object.entries(input).filter(([field]) => field !== 'names'));
}

function digestOf({ id, kind, input, before }: ProposalRow, now: unknown): string {
  return sha256(canonical({ id, kind, input, before, now })).toString('base64url');
}

function deciderOf({ session: { userId, role } }: StaffContext): Decider {
  return { operatorId: userId, kinds: decidableKinds(role) };
}

function shown(row: ProposalRow, context: StaffContext): Proposal {
  const { operatorId, kinds: decidable } = deciderOf(context);
  const isOpen = row.state === 'open';
  const { decidedBy, deciderName } = row;
  const kind = kinds[row.kind];
  const name = kind.subjectName?.(context.locale, row.input) ?? row.subjectName;
  const values = { ...kind.titleOf(context.locale, row.input), name: name ?? '' };
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    title: translate(context.locale, `operator.proposal.${row.kind}`, values),
    subject: { kind: row.subjectKind, id: row.subjectId, name },
    reason: row.reason,
    proposedBy: { id: row.proposedBy, name: row.proposerName },
    proposedAt: row.proposedAt.toISOString(),
    expiresAt: row.expiresAt.toISOString(),
    decidedBy: decidedBy === null ? null : { id: decidedBy, name: deciderName ?? '' },
    decidedAt: row.decidedAt?.toISOString() ?? null,
    decisionReason: row.decisionReason,
    canDecide: isOpen && decidable.includes(row.kind) && row.proposedBy !== operatorId && row.subjectId !== operatorId,
    canWithdraw: isOpen && row.proposedBy === operatorId,
  };
}
