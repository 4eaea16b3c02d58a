import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { CronContext } from '../../../platform/jobs/cron.ts';
import { sweepCompanies } from '../../../platform/jobs/sweep.ts';
import { kindOf, type OutgoingKinds, release } from '../../outgoing/index.ts';
import { lockTransactions, notifyOfTransaction } from '../../transactions/index.ts';
import { companiesWithRepeatedRows, findSiblings, findUnstopped, paidTwiceNotice } from '../store/late-paid.ts';

const reason = 'stage.reason.paidBefore';

/**
 * A transaction that had come to nothing may be paid after all (docs/adr/0050-…), when its row has been sent again: what no rail has begun of the other
 * attempts is stopped, and what cannot be stopped any more is a payment made twice, which people are notified of.
 * @param id of a transaction that was completed; nothing is done for one that is no longer, and for one of no batch
 */
export async function stopOthers(tx: Tx, kinds: OutgoingKinds, id: string): Promise<void> {
  const siblings = await findSiblings(tx, id);
  if (siblings.length === 0) return;
  // Those of a run that waits for approval have no task of their own, so none has to be locked before them.
  const attempts = await lockTransactions(tx, [id, ...siblings]);
  // A chain that was reorganised since has taken the payment back: another attempt is what pays the row.
  if (attempts.find((attempt) => attempt.id === id)?.status !== 'completed') return;
  for (const other of attempts) {
    if (other.id === id || other.status === 'failed') continue;
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
      await notifyOfTransaction(tx, id, { kind: paidTwiceNotice, sourceId });
    }
  }
}

/** Does the same for payments whose event no job has followed. */
export function stopMissed(context: CronContext, kinds: OutgoingKinds): Promise<void> {
  return sweepCompanies(context, {
    companies: companiesWithRepeatedRows,
    find: findUnstopped,
    perform: (tx, transactionId) => stopOthers(tx, kinds, transactionId),
    words: {
      late: 'the other attempts of a row that was paid late were stopped late',
      failed: 'the other attempts of a row that was paid late could not be stopped',
      unread: 'rows of batches that were sent again could not be looked through',
    },
  });
}
