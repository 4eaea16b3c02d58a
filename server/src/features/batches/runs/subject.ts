import type { ApprovalContent } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { auditAll } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject, SubjectEnd, TaskSnapshot } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findTimeZone } from '../../organisation/index.ts';
import {
  kindOf,
  kindsByType,
  type OutgoingKind,
  outgoingEvents,
  type PaymentEnd,
  releaseAll,
} from '../../outgoing/index.ts';
import { changeStages, lockTransactions, rejectedReason } from '../../transactions/index.ts';
import { findRunRows } from '../store/run-list.ts';
import { readRunIds, readRuns, readRunTotals, readStoredRun, readUnpayable, type StoredRun } from '../store/runs.ts';
import { runDigest } from './domain.ts';
import { createRowKinds } from './ports.ts';
import { asRunRow, asTotal } from './view.ts';

/** What a run's task keeps of it, as it was submitted. */
export interface RunTask {
  batchId: string;
  batchName: string;
  number: number;
  rows: number;
}

/** As `openTask` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): RunTask {
  return content as unknown as RunTask;
}

/** What rows that no approval came of say of it, as the id of a sentence. */
const endReasons: Record<SubjectEnd['outcome'], string> = {
  rejected: rejectedReason,
  expired: 'stage.reason.approvalExpired',
  voided: 'stage.reason.approvalVoided',
  stopped: 'stage.reason.stopped',
};

export const cancelledReason = 'stage.reason.cancelled';

/** So many of the rows to look at first are part of the task's page; all of them have a list of their own. */
const shownFirst = 50;

/** What a run of a batch is to its approvers: one decision on all its rows (docs/adr/0095-…). */
export function createRunSubject(families: ChainFamilies): ApprovalSubject {
  const kinds = rowKindsByType(families);
  return {
    kind: 'batch',
    shape: 'batch',
    adoptable: true,
    changesControls: false,
    auditKind: 'batchRun',
    notices: 'batchApproval',
    locks: ['freezes'],
    initiation: 'transfer.create',
    name: (task, locale) => translate(locale, 'batches.task', { name: contentOf(task).batchName }),
    noticeValues(task) {
      const { batchName, rows } = contentOf(task);
      return { batch: batchName, rows };
    },
    brief(task, locale) {
      const { rows, number } = contentOf(task);
      return {
        party: null,
        facts: [
          { label: translate(locale, 'batches.task.rows'), value: String(rows) },
          ...(number > 1 ? [{ label: translate(locale, 'batches.task.run'), value: String(number) }] : []),
        ],
      };
    },
    content: (tx, task, { locale }) => describeTask(tx, task, locale),
    link: (task, locale) => ({
      path: `/app/storm/${contentOf(task).batchId}/run/${task.subjectId}`,
      text: translate(locale, 'batches.task.open'),
    }),
    auditDetail: () => ({}),
    async digest(tx, id) {
      const run = await readStoredRun(tx, id);
      return run && digestOfStored(kinds, run, tx.companyId);
    },
    // Each row is judged again when it is handed over; a run of which none waits any more has nothing to approve.
    async recheck(tx, id) {
      const waiting = await readRunIds(tx, id, ['waiting_approval']);
      return waiting.length === 0 ? { reason: 'stage.reason.batchNothingWaits' } : null;
    },
    approved,
    async ended(tx, id, { outcome, by, reason }) {
      await endRows(tx, id, ['waiting_approval'], {
        stage: 'refused',
        reason: outcome !== 'rejected' && reason.startsWith('stage.reason.') ? reason : endReasons[outcome],
        ...(by ? { actor: by } : {}),
      });
    },
    async withdrawn(tx, context, { subjectId }) {
      await cancelRows(tx, context, kinds, subjectId);
      return cancelledReason;
    },
  };
}

export function rowKindsByType(families: ChainFamilies): ReadonlyMap<LifeType, OutgoingKind> {
  const { transfers, payouts } = createRowKinds(families);
  return kindsByType([transfers.kind, payouts.kind]);
}

/** As it was computed at submission, by the contents of its transactions as they are stored now. */
function digestOfStored(
  kinds: ReadonlyMap<LifeType, OutgoingKind>,
  { id, batchId, fileHash, entries }: StoredRun,
  companyId: string,
): string {
  const rows = entries.map(({ rowId, type, content }) => ({
    rowId,
    transactionId: content.id,
    digest: kindOf(kinds, type).digest(content),
  }));
  return runDigest({ companyId, runId: id, batchId, fileHash, rows });
}

/** The last approval: all rows that still wait can be handed to their rails, but for those whose payee cannot be paid any more. */
async function approved(tx: Tx, runId: string): Promise<void> {
  const waiting = await lockTransactions(tx, await readRunIds(tx, runId, ['waiting_approval']));
  const unpayable = new Map((await readUnpayable(tx, runId)).map(({ id, isChanged }) => [id, isChanged]));
  for (const isChanged of [true, false]) {
    await releaseAll(
      tx,
      waiting.filter(({ id }) => unpayable.get(id) === isChanged),
      ['waiting_approval'],
      { stage: 'refused', reason: isChanged ? 'stage.reason.payeeAccountChanged' : 'stage.reason.payeeUnusable' },
    );
  }
  const ids = waiting.flatMap(({ id }) => (unpayable.has(id) ? [] : [id]));
  const moved = await changeStages(tx, ids, ['waiting_approval'], { stage: 'approved' });
  const events = moved.map((transactionId) => ({ name: outgoingEvents.approved, payload: { transactionId } }));
  await announce(tx, [...events, live('transaction', null), ...(await liveOf(tx, runId))]);
}

/** Ends the rows of a run that are at one of these stages, and gives back what they hold. @returns their ids and types */
async function endRows(
  tx: Tx,
  runId: string,
  from: readonly ('waiting_approval' | 'approved')[],
  end: PaymentEnd,
): Promise<{ id: string; type: LifeType }[]> {
  const rows = await lockTransactions(tx, await readRunIds(tx, runId, from));
  const ended = await releaseAll(tx, rows, from, end);
  await announce(tx, await liveOf(tx, runId));
  return ended.map(({ failed: { id, type } }) => ({ id, type }));
}

async function liveOf(tx: Tx, runId: string) {
  const [run] = await readRuns(tx, { runId });
  invariant(run, 'a task of a run has its run');
  return [live('batch', run.batchId)];
}

/** Cancels the rows of a member's own run that nothing has been sent of, its task's row locked before. @returns how many */
export async function cancelRows(
  tx: Tx,
  context: SignedInContext,
  kinds: ReadonlyMap<LifeType, OutgoingKind>,
  runId: string,
): Promise<number> {
  const { userId: id, userName: name } = context.session;
  const ended = await endRows(tx, runId, ['waiting_approval', 'approved'], {
    stage: 'cancelled',
    reason: cancelledReason,
    actor: { id, name },
  });
  const actor = actorOf(context);
  await auditAll(tx, [
    ...ended.map((row) => ({
      companyId: tx.companyId,
      actor,
      action: kindOf(kinds, row.type).actions.cancel,
      subjectKind: 'transaction' as const,
      subjectId: row.id,
    })),
    {
      companyId: tx.companyId,
      actor,
      action: 'batches.cancel',
      subjectKind: 'batchRun',
      subjectId: runId,
      detail: { rows: ended.length },
    },
  ]);
  return ended.length;
}

/** With totals, and the rows to look at first. */
async function describeTask(tx: Tx, task: TaskSnapshot, locale: Locale): Promise<ApprovalContent> {
  const { batchId, batchName, number, rows } = contentOf(task);
  const [run] = await readRuns(tx, { runId: task.subjectId });
  invariant(run, 'a task of a run has its run');
  const first = await findRunRows(tx, task.subjectId, shownFirst);
  const timeZone = await findTimeZone(tx);
  return {
    shape: 'batch',
    batchId,
    batchName,
    number,
    rows,
    fileHash: run.fileHash,
    edits: run.edits,
    waiting: run.waiting,
    totals: (await readRunTotals(tx, task.subjectId)).map(asTotal),
    remarkable: first.filter(({ rank }) => rank < 99).map((row) => asRunRow(row, locale, timeZone)),
  };
}
