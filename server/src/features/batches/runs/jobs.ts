import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import type { JobDefinition } from '../../../platform/jobs/jobs.ts';
import { kindOf, type OutgoingKinds, release } from '../../outgoing/index.ts';
import { lockTransactions, notifyOfTransaction, transactionEvents } from '../../transactions/index.ts';
import { findEntryOf, findSiblings } from '../store/runs.ts';

const reason = 'stage.reason.paidBefore';

/**
 * A transaction that had come to nothing may be paid after all (docs/adr/0050-…), when its row has been sent again: what no rail has begun of the other
 * attempts is stopped, and what cannot be stopped any more is a payment made twice, which people are notified of.
 */
export function batchJobs(kinds: OutgoingKinds): JobDefinition[] {
  return [
    {
      name: 'batches.latePaid',
      on: [transactionEvents.reached],
      async run({ companyId, database }, { transactionId, stage }) {
        if (stage !== 'completed') return;
        await database.withCompany(companyId, (tx) => stopOthers(tx, kinds, String(transactionId)));
      },
    },
    {
      // Pages of a batch show where each of its rows is.
      name: 'batches.follow',
      on: [transactionEvents.reached],
      async run({ companyId, database }, { transactionId }) {
        await database.withCompany(companyId, async (tx) => {
          const entry = await findEntryOf(tx, String(transactionId));
          if (entry) await announce(tx, [live('batch', entry.batchId)]);
        });
      },
    },
  ];
}

async function stopOthers(tx: Tx, kinds: OutgoingKinds, id: string): Promise<void> {
  const siblings = await findSiblings(tx, id);
  if (siblings.length === 0) return;
  // Those of a run that waits for approval have no task of their own, so none has to be locked before them.
  for (const other of await lockTransactions(
    tx,
    siblings.map((sibling) => sibling.id),
  )) {
    if (other.status === 'failed') continue;
    const refundId = await release(tx, other, ['waiting_approval', 'approved'], { stage: 'refused', reason });
    if (refundId !== null) {
      await audit(tx, {
        actor: { kind: 'system', id: 'batches' },
        action: kindOf(kinds, other.type).actions.stop,
        subjectKind: 'transaction',
        subjectId: other.id,
        detail: { reason },
      });
    } else {
      // One notice for the two of them, whichever ends last.
      const [sourceId = id] = [id, other.id].toSorted();
      await notifyOfTransaction(tx, id, { kind: 'batchPaidTwice', sourceId });
    }
  }
}
