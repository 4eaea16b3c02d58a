import type { cancelBatch } from '@causeway/contract/batch-runs.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { readRuns } from '../store/runs.ts';
import type { RunPorts } from './ports.ts';
import { cancelledReason, cancelRows, rowKindsByType } from './subject.ts';

/**
 * Cancels the rows of a run of one's own that no rail has begun to send; their holds are given back at once, and what was handed over goes on.
 * @throws DomainError batchNotFound, batchRunNotOwn, batchRunOver
 */
export async function cancel(
  tx: Tx,
  context: SignedInContext & RunPorts,
  { id }: Body<typeof cancelBatch>,
): Promise<OutputInput<typeof cancelBatch>> {
  const [run] = await readRuns(tx, { runId: id });
  if (!run) throw new DomainError('batchNotFound');
  if (run.initiatorId !== context.session.userId) throw new DomainError('batchRunNotOwn');
  // The task before the transactions, everywhere; what is refused below rolls this back.
  await withdrawTask(tx, 'batch', id, { end: 'withdrawn', reason: cancelledReason });
  const cancelled = await cancelRows(tx, context, rowKindsByType(context.families), id);
  if (cancelled === 0) throw new DomainError('batchRunOver');
  return { id, cancelled };
}
