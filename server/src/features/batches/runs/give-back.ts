import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { notify } from '../../notices/index.ts';
import { giveBackJoined } from '../../outgoing/index.ts';
import { deleteQueued, lockOverdue } from '../store/queue.ts';
import { findRunHead } from '../store/run-heads.ts';

/** For so long it is tried to enter the rows of a run. */
const triedMs = 10 * 60_000;

/**
 * Gives back what the company's oldest run holds that could not be entered within ten minutes: nothing of it was sent, and its batch can be submitted again. Its
 * approval is withdrawn, and its initiator notified. @returns whether there was one
 */
export async function giveBackOverdue(tx: Tx): Promise<boolean> {
  const runId = await lockOverdue(tx, triedMs);
  if (runId === null) return false;
  const run = await findRunHead(tx, runId);
  invariant(run, 'what is queued has a run');
  const { batchId, batchName, initiatorId, rows } = run;
  await withdrawTask(tx, 'batch', runId, { end: 'stopped', reason: 'stage.reason.batchNotEntered' });
  await giveBackJoined(tx, runId);
  await deleteQueued(tx, runId);
  await audit(tx, {
    actor: { kind: 'system', id: 'batches' },
    action: 'batches.giveBack',
    subjectKind: 'batchRun',
    subjectId: runId,
    detail: { rows },
  });
  await notify(tx, {
    kind: 'batchGivenBack',
    sourceId: runId,
    values: { name: batchName, rows },
    link: `/app/storm/${batchId}`,
    to: [initiatorId],
  });
  await announce(tx, [live('batch', batchId), live('balance', null)]);
  return true;
}
