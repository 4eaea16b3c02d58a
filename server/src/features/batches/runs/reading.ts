import type { BatchRun, getBatchRun, listBatchRunRows, listBatchRuns } from '@causeway/contract/batch-runs.ts';
import type { OutputInput, Params, Query } from '@causeway/contract/call.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { approvalOf } from '../../approvals/index.ts';
import { findTimeZone } from '../../organisation/index.ts';
import { runRowList } from '../store/run-list.ts';
import { findHead, type RunRow, readRuns, readRunTotals } from '../store/runs.ts';
import { asRunRow, asTotal } from './view.ts';

/** The runs of a batch, the newest first. @throws DomainError batchNotFound */
export async function listRuns(
  tx: Tx,
  context: SignedInContext,
  { id }: Params<typeof listBatchRuns>,
): Promise<OutputInput<typeof listBatchRuns>> {
  if (!(await findHead(tx, id))) throw new DomainError('batchNotFound');
  const items: BatchRun[] = [];
  for (const run of await readRuns(tx, { batchId: id })) items.push(await asRun(tx, context, run));
  return { items };
}

/** @throws DomainError batchNotFound */
export async function getRun(
  tx: Tx,
  context: SignedInContext,
  { id }: Params<typeof getBatchRun>,
): Promise<OutputInput<typeof getBatchRun>> {
  const [run] = await readRuns(tx, { runId: id });
  if (!run) throw new DomainError('batchNotFound');
  return asRun(tx, context, run);
}

async function asRun(tx: Tx, { session, locale }: SignedInContext, run: RunRow): Promise<BatchRun> {
  const {
    initiatorId,
    initiatorName,
    createdAt,
    valueUsdCents,
    waiting,
    underWay,
    completed,
    failed,
    paidTwice,
    ...rest
  } = run;
  const approval = await approvalOf(tx, 'batch', run.id, { session, locale });
  return {
    ...rest,
    initiator: { id: initiatorId, name: initiatorName },
    createdAt: createdAt.toISOString(),
    valueUsd: formatAmount(valueUsdCents, 2),
    totals: (await readRunTotals(tx, run.id)).map(asTotal),
    progress: { waiting, underWay, completed, failed, paidTwice },
    approvalTaskId: approval?.taskId ?? null,
    waitingFor: approval?.waitingFor ?? null,
    cancellable: waiting > 0 && initiatorId === session.userId && session.permissions.includes('transfer.create'),
  };
}

/** One page of a run's rows. @throws DomainError batchNotFound, cursorInvalid */
export async function listRows(
  tx: Tx,
  { locale }: SignedInContext,
  { id, ...query }: Params<typeof listBatchRunRows> & Query<typeof listBatchRunRows>,
): Promise<OutputInput<typeof listBatchRunRows>> {
  const [run] = await readRuns(tx, { runId: id });
  if (!run) throw new DomainError('batchNotFound');
  const page = await readPage(tx, runRowList, query, { runId: id });
  const timeZone = await findTimeZone(tx);
  return { ...page, items: page.items.map((row) => asRunRow(row, locale, timeZone)) };
}
