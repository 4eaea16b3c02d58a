import type { Evidence } from '@causeway/contract/approvals.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { ApprovalSubject, SubjectEnd } from '../../approvals/index.ts';
import { findFiles } from '../../files/index.ts';
import { lookAlikesOf } from '../../payees/index.ts';
import { explain } from '../../risk/index.ts';
import { transferDigest } from '../domain.ts';
import { transferEvents } from '../events.ts';
import { changeStage, lockTransaction } from '../store/lifecycle.ts';
import { findDealtWith } from '../store/reading.ts';
import { countPaidTo, type ReviewedTransfer, readReviewed } from '../store/reviewing.ts';
import { judgeAgain } from './judging.ts';
import { release } from './release.ts';
import { repayDeficit } from './shortfall.ts';

/** What a transfer is to its approvers: approvals asks these questions and tells these answers (docs/adr/0011). */
export const transferSubject: ApprovalSubject = { digest, evidence, recheck, approved, ended };

/** What a transfer whose task ended without approval says of it, as the id of a sentence. */
export const endReasons: Record<SubjectEnd['outcome'], string> = {
  rejected: 'stage.reason.rejected',
  expired: 'stage.reason.approvalExpired',
  voided: 'stage.reason.approvalVoided',
  stopped: 'stage.reason.stopped',
};

async function digest(tx: Tx, id: string): Promise<string | null> {
  const transfer = await readReviewed(tx, id);
  return transfer && digestOf(transfer);
}

function digestOf(transfer: ReviewedTransfer): string {
  const { companyId, id, walletId, payeeId, payeeAccount, chainId, coin, quantityMinor, notes, attachmentIds } =
    transfer;
  return transferDigest({
    companyId,
    transferId: id,
    walletId,
    payeeId,
    payeeAddress: payeeAccount,
    chainId,
    coin,
    amountMinor: quantityMinor,
    notes,
    attachmentIds,
  });
}

async function evidence(tx: Tx, id: string, locale: Locale): Promise<Evidence | null> {
  const transfer = await readReviewed(tx, id);
  if (!transfer) return null;
  const { coin, decimals, payeeAccount, chainId } = transfer;
  const paid = await countPaidTo(tx, payeeAccount, transfer.createdAt);
  const alike = await lookAlikesOf(tx, { findDealtWith }, chainId, payeeAccount);
  const held = transfer.quantityMinor + transfer.feeMinor;
  const isHeld = transfer.status === 'pending';
  const say = (minor: bigint) => formatAmount(minor, decimals);
  return {
    payee: {
      id: transfer.payeeStatus === 'deleted' ? null : transfer.payeeId,
      name: transfer.payeeName,
      account: payeeAccount,
      addedAt: transfer.payeeAddedAt?.toISOString() ?? null,
      addedBy: transfer.payeeAddedBy,
      transferCount: paid.count,
      lastTransferAt: paid.lastAt?.toISOString() ?? null,
      lookAlikes: alike.map(({ address, label }) => ({ account: address, name: label })),
      code: transfer.payeeCode,
    },
    balance: isHeld
      ? { coin, decimals, before: say(transfer.availableMinor + held), after: say(transfer.availableMinor) }
      : null,
    attachments: await findFiles(tx, transfer.attachmentIds),
    risk: await riskOf(tx, id, locale),
  };
}

/** What the latest judgement says; the whole explanation has a call of its own. */
async function riskOf(tx: Tx, id: string, locale: Locale): Promise<Evidence['risk']> {
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

/** Judged as at submission: the payee, the wallet, then risk. */
async function recheck(tx: Tx, id: string): Promise<{ reason: string } | null> {
  const transfer = await readReviewed(tx, id);
  invariant(transfer, 'a task of a transfer has its transfer');
  if (transfer.payeeStatus !== 'usable') return { reason: 'stage.reason.payeeUnusable' };
  const verdict = await judgeAgain(tx, transfer, 'decision');
  return verdict === null || verdict.allowed ? null : { reason: reasonOfVerdict };
}

const reasonOfVerdict = 'stage.reason.riskStopped';

/** The last approval: nothing stands between the transfer and the signer any more. */
async function approved(tx: Tx, id: string): Promise<void> {
  const moved = await changeStage(tx, id, ['waiting_approval'], { stage: 'approved' });
  invariant(moved, 'a transfer whose task is pending waits for it');
  await announce(tx, [{ name: transferEvents.approved, payload: { transactionId: id } }, live('transaction', id)]);
}

/** Rejected, expired, void or stopped: what was held is given back; the task keeps what was decided. */
async function ended(tx: Tx, id: string, { outcome, by, reason }: SubjectEnd): Promise<void> {
  const transfer = await lockTransaction(tx, id);
  invariant(transfer, 'a task of a transfer has its transfer');
  const refundId = await release(tx, transfer, ['waiting_approval'], {
    stage: 'refused',
    // A rejection's reason is the approver's own words, which the task keeps.
    reason: outcome !== 'rejected' && reason.startsWith('stage.reason.') ? reason : endReasons[outcome],
    ...(by ? { actor: by } : {}),
  });
  invariant(refundId !== null, 'a transfer whose task is pending waits for it');
  await repayDeficit(tx, transfer.walletId, refundId);
}
