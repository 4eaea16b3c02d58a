import type { LifeType } from '@causeway/contract/transactions-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { lockTaskOf, withdrawTask } from '../../approvals/index.ts';
import { type LifecycleRow, lockTransaction } from '../../transactions/index.ts';
import { subjectKindOf } from '../domain.ts';
import { kindOf, type SubmittedKind } from '../kind.ts';
import { findUnsent, type UnsentPayment } from '../store/payments.ts';
import { judgeAgain } from './judge.ts';
import { release } from './release.ts';

const reason = 'stage.reason.riskStopped';
/** Where no rail has begun. */
const stoppable = ['waiting_approval', 'approved', 'waiting_rate'] as const;

/**
 * Judges again, after the lists or the policies have changed, every payment that no rail has begun to send; those that risk
 * forbids by now are stopped. Each in a transaction of its own.
 */
export async function stopForbidden(
  database: Database,
  kinds: ReadonlyMap<LifeType, SubmittedKind>,
  companyId: string,
): Promise<void> {
  const payments = await database.withCompany(companyId, (tx) => findUnsent(tx, [...kinds.keys()]));
  for (const payment of payments) await database.withCompany(companyId, (tx) => stopIfForbidden(tx, kinds, payment));
}

/** Locks in the one order (docs/adr/0025): the task, the transaction, and what risk writes only then. */
async function stopIfForbidden(
  tx: Tx,
  kinds: ReadonlyMap<LifeType, SubmittedKind>,
  { id, type }: UnsentPayment,
): Promise<void> {
  await lockTaskOf(tx, subjectKindOf(type), id);
  const transaction = await lockTransaction(tx, id);
  if (!transaction || !isStoppable(transaction)) return;
  const kind = kindOf(kinds, type);
  const verdict = await judgeAgain(tx, kind, id, 'decision');
  if (verdict === null || verdict.allowed) return;
  await withdrawTask(tx, subjectKindOf(type), id, { end: 'stopped', reason });
  await stopLocked(tx, kind, transaction);
}

function isStoppable({ status, stage }: LifecycleRow): boolean {
  return status === 'pending' && (stoppable as readonly string[]).includes(stage);
}

/**
 * Ends a locked payment that a control forbids, and gives its hold back. It has no pending task: a transaction that holds the lock of the
 * transaction must not wait for that of the task any more.
 */
export async function stopLocked(tx: Tx, kind: SubmittedKind, transaction: LifecycleRow): Promise<void> {
  const refundId = await release(tx, transaction, stoppable, { stage: 'refused', reason });
  if (refundId === null) return;
  await audit(tx, {
    actor: { kind: 'system', id: 'risk' },
    action: kind.actions.stop,
    subjectKind: 'transaction',
    subjectId: transaction.id,
    detail: { reason },
  });
}
