import type { Evidence } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { ApprovalSubject, SubjectEnd } from '../../approvals/index.ts';
import { explain } from '../../risk/index.ts';
import { changeStage, lockTransaction, rejectedReason } from '../../transactions/index.ts';
import { outgoingEvents } from '../events.ts';
import type { SubmittedKind } from '../kind.ts';
import { cancelledByInitiator, cancelWaiting } from './cancel.ts';
import { judgeAgain } from './judge.ts';
import { release } from './release.ts';

/** What a payment whose task ended without approval says of it, as the id of a sentence. */
const endReasons: Record<SubjectEnd['outcome'], string> = {
  rejected: rejectedReason,
  expired: 'stage.reason.approvalExpired',
  voided: 'stage.reason.approvalVoided',
  stopped: 'stage.reason.stopped',
};

/** What becomes of a payment by its approval: the same for every kind (docs/adr/0057). */
export function approvalEnds(kind: SubmittedKind): Pick<ApprovalSubject, 'approved' | 'ended' | 'withdrawn'> {
  return {
    approved,
    ended,
    async withdrawn(tx, context, { subjectId }) {
      await cancelWaiting(tx, context, kind, subjectId);
      return cancelledByInitiator;
    },
  };
}

/** Judges a payment as its approvers decide on it. @returns why risk stops it; null when it does not */
export async function recheckRisk(tx: Tx, kind: SubmittedKind, id: string): Promise<{ reason: string } | null> {
  const verdict = await judgeAgain(tx, kind, id, 'decision');
  return verdict === null || verdict.allowed ? null : { reason: 'stage.reason.riskStopped' };
}

/** What approvers see of the latest judgement of a payment, null where there was none; the whole explanation has a call of its own. */
export async function riskEvidence(tx: Tx, id: string, locale: Locale): Promise<Evidence['risk']> {
  const latest = (await explain(tx, id, locale))?.judgements[0];
  if (!latest) return null;
  const { allowed, sentence, checks } = latest;
  const exempted = checks.filter(({ step, outcome }) => step === 'policy' && outcome === 'exempted');
  return {
    allowed,
    sentence,
    findings: allowed
      ? exempted.map(({ name, why }) => ({ severity: 'notice', text: `${name}: ${why}` }))
      : [{ severity: 'problem', text: sentence }],
  };
}

/** The last approval: the payment can be handed to its rail. */
async function approved(tx: Tx, id: string): Promise<void> {
  const moved = await changeStage(tx, id, ['waiting_approval'], { stage: 'approved' });
  invariant(moved, 'a payment whose task is pending waits for it');
  await announce(tx, [{ name: outgoingEvents.approved, payload: { transactionId: id } }, live('transaction', id)]);
}

/** Rejected, expired, void or stopped: what was held is given back; the task keeps what was decided. */
async function ended(tx: Tx, id: string, { outcome, by, reason }: SubjectEnd): Promise<void> {
  const payment = await lockTransaction(tx, id);
  invariant(payment, 'a task of a payment has its payment');
  const refundId = await release(tx, payment, ['waiting_approval'], {
    stage: 'refused',
    // A rejection's reason is the approver's own words, which the task keeps.
    reason: outcome !== 'rejected' && reason.startsWith('stage.reason.') ? reason : endReasons[outcome],
    ...(by ? { actor: by } : {}),
  });
  invariant(refundId !== null, 'a payment whose task is pending waits for it');
}
