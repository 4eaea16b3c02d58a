import type { Stage } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { lockTaskOf, withdrawTask } from '../../approvals/index.ts';
import { type LifecycleRow, lockTransaction } from '../store/lifecycle.ts';
import { findUnsigned, readReviewed } from '../store/reviewing.ts';
import { judgeAgain } from './judging.ts';
import { release } from './release.ts';
import { repayDeficit } from './shortfall.ts';

const reason = 'stage.reason.riskStopped';
/** Where nobody has begun to sign. */
const unsigned: readonly Stage[] = ['waiting_approval', 'approved'];

/**
 * Judges every transfer anew that nobody has begun to sign, after the lists or the policies have changed; what they forbid
 * now is stopped (issue: a pending transfer to a blacklisted payee stops). Each in a transaction of its own.
 */
export async function stopForbidden(database: Database, companyId: string): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => findUnsigned(tx));
  for (const id of ids) await database.withCompany(companyId, (tx) => stopIfForbidden(tx, id));
}

/** Locks in the one order (docs/adr/0025): the task, the transaction, and what risk writes only then. */
async function stopIfForbidden(tx: Tx, id: string): Promise<void> {
  await lockTaskOf(tx, 'transfer', id);
  const transfer = await lockTransaction(tx, id);
  const reviewed = await readReviewed(tx, id);
  if (!transfer || !reviewed || !isUnsigned(transfer)) return;
  const verdict = await judgeAgain(tx, reviewed, 'decision');
  if (verdict === null || verdict.allowed) return;
  await withdrawTask(tx, 'transfer', id, { end: 'stopped', reason });
  await stopLocked(tx, transfer);
}

function isUnsigned({ status, stage }: LifecycleRow): boolean {
  return status === 'pending' && unsigned.includes(stage);
}

/**
 * Ends a locked transfer that a control forbids, and gives its hold back. It has no pending task: whoever holds the lock of the
 * transaction may not wait for that of the task any more.
 */
export async function stopLocked(tx: Tx, transfer: LifecycleRow): Promise<void> {
  const refundId = await release(tx, transfer, unsigned, { stage: 'refused', reason });
  if (refundId === null) return;
  await repayDeficit(tx, transfer.walletId, refundId);
  await audit(tx, {
    actor: { kind: 'system', id: 'risk' },
    action: 'transfers.stop',
    subjectKind: 'transaction',
    subjectId: transfer.id,
    detail: { reason },
  });
}
