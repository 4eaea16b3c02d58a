import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { CronContext } from '../../../platform/jobs/cron.ts';
import { kindOf, type OutgoingKinds, release } from '../../outgoing/index.ts';
import { lockTransactions, notifyOfTransaction } from '../../transactions/index.ts';
import { companiesWithRepeatedRows, findSiblings, findUnstopped, paidTwiceNotice } from '../store/late-paid.ts';

const reason = 'stage.reason.paidBefore';
/** What the event's own job has before the sweep does its work as well. */
const graceMs = 2 * 60_000;
const mostAtOnce = 200;

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

/**
 * Does the same for payments whose event no job has followed: it failed at every try, or was discarded (docs/adr/0115-…). What fails keeps nothing else from
 * its turn, and is tried again in the next round.
 */
export async function stopMissed(context: CronContext, kinds: OutgoingKinds): Promise<void> {
  const { database, log, signal } = context;
  for (const companyId of await database.withoutCompany(companiesWithRepeatedRows)) {
    if (signal.aborted) return;
    await stopMissedOf(context, kinds, companyId).catch((error: unknown) =>
      log.warn({ companyId, err: error }, 'rows of batches that were sent again could not be looked through'),
    );
  }
}

async function stopMissedOf(
  { database, log, signal }: CronContext,
  kinds: OutgoingKinds,
  companyId: string,
): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => findUnstopped(tx, { olderMs: graceMs, most: mostAtOnce }));
  for (const transactionId of ids) {
    if (signal.aborted) return;
    const payment = { companyId, transactionId };
    try {
      await database.withCompany(companyId, (tx) => stopOthers(tx, kinds, transactionId));
      log.warn(payment, 'the other attempts of a row that was paid late were stopped late');
    } catch (error) {
      log.warn({ ...payment, err: error }, 'the other attempts of a row that was paid late could not be stopped');
    }
  }
}
