import { audit } from '../../../platform/audit.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import { withdrawTask } from '../../approvals/index.ts';
import { lockTransaction } from '../store/lifecycle.ts';
import { findUnsigned, readReviewed } from '../store/reviewing.ts';
import { judgeAgain } from './judging.ts';
import { release } from './release.ts';
import { repayDeficit } from './shortfall.ts';

/**
 * Judges every transfer anew that nobody has begun to sign, after the lists or the policies have changed; what they forbid
 * now is stopped (issue: a pending transfer to a blacklisted payee stops). Each in a transaction of its own.
 */
export async function stopForbidden(database: Database, companyId: string): Promise<void> {
  const ids = await database.withCompany(companyId, (tx) => findUnsigned(tx));
  for (const id of ids) await database.withCompany(companyId, (tx) => stopIfForbidden(tx, id));
}

async function stopIfForbidden(tx: Tx, id: string): Promise<void> {
  const before = await readReviewed(tx, id);
  if (!before) return;
  const verdict = await judgeAgain(tx, before, 'decision');
  if (verdict === null || verdict.allowed) return;
  await stopTransfer(tx, id);
}

/** Ends a transfer that a control forbids, with its task, and gives its hold back. The task is locked first, as everywhere. */
export async function stopTransfer(tx: Tx, id: string): Promise<void> {
  const reason = 'stage.reason.riskStopped';
  await withdrawTask(tx, 'transfer', id, { end: 'stopped', reason });
  const transfer = await lockTransaction(tx, id);
  if (transfer?.status !== 'pending') return;
  const refundId = await release(tx, transfer, ['waiting_approval', 'approved'], { stage: 'refused', reason });
  if (refundId === null) return;
  await repayDeficit(tx, transfer.walletId, refundId);
  await audit(tx, {
    actor: { kind: 'system', id: 'risk' },
    action: 'transfers.stop',
    subjectKind: 'transaction',
    subjectId: id,
    detail: { reason },
  });
}
