import type { ApprovalContent, Evidence } from '@causeway/contract/approvals.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject, SubjectBrief, TaskSnapshot } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { findFiles } from '../../files/index.ts';
import { approvalEnds, type OutgoingKind, recheckRisk, riskEvidence } from '../../outgoing/index.ts';
import { lookAlikesOf } from '../../payees/index.ts';
import { findDealtWith } from '../../transactions/index.ts';
import { createTransferKind } from '../kind.ts';
import { countPaidTo, type ReviewedTransfer, readReviewed } from '../store/reviewing.ts';
import { readTie } from '../store/tests.ts';

type Tied = Pick<Extract<ApprovalContent, { shape: 'payment' }>, 'test' | 'restOf'>;

/** That a transfer is a test before the rest of an amount, or the rest after one. */
type TransferTie = { kind: 'test'; totalMinor: string } | { kind: 'rest'; testMinor: string };

/** What a transfer's task keeps of it, as it was submitted; amounts in minor units, as text. */
export interface TransferTask {
  payeeName: string;
  payeeAccount: string;
  chainName: string | null;
  feeMinor: string;
  notes: string;
  /** Absent in tasks that were opened before there were any. */
  invoiceNumber?: string | null;
  category?: string | null;
  tie?: TransferTie | null;
  attachments: readonly StoredFile[];
}

/** As `openTask` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): TransferTask {
  return content as TransferTask;
}

/** What a transfer is to its approvers (docs/adr/0035, 0057). */
export function createTransferSubject(families: ChainFamilies): ApprovalSubject {
  const kind = createTransferKind(families);
  return {
    kind: 'transfer',
    shape: 'payment',
    adoptable: true,
    changesControls: false,
    auditKind: 'transaction',
    notices: 'approval',
    locks: [],
    initiation: 'transfer.create',
    partyPermission: 'payee.view',
    name(task, locale) {
      const { payeeName: payee, tie } = contentOf(task);
      return translate(locale, tie ? `transfer.task.${tie.kind}` : 'transfer.task', { payee });
    },
    noticeValues(task) {
      const { payeeName: payee, tie } = contentOf(task);
      return { payee, tie: tie?.kind ?? 'none' };
    },
    brief(task, locale) {
      const { payeeName: name, payeeAccount: account, chainName } = contentOf(task);
      const chain = { label: translate(locale, 'transfer.task.chain'), value: chainName ?? '' };
      return { party: { name, account }, facts: [...(chainName === null ? [] : [chain]), ...tieFacts(task, locale)] };
    },
    async content(tx, task, { locale }) {
      const { feeMinor, notes, invoiceNumber = null, category = null, attachments } = contentOf(task);
      const fee = formatAmount(BigInt(feeMinor), task.decimals ?? 0);
      const known = await evidence(tx, families, task.subjectId, locale);
      return {
        shape: 'payment',
        fee,
        notes,
        invoiceNumber,
        category,
        ...(await tiedTo(tx, task)),
        attachments: [...attachments],
        evidence: known,
        payout: null,
        bought: null,
      };
    },
    link: ({ subjectId }, locale) => ({
      path: `/app/transaction/${subjectId}`,
      text: translate(locale, 'transfer.task.open'),
    }),
    auditDetail: () => ({}),
    async digest(tx, id) {
      const transfer = await readReviewed(tx, id);
      return transfer && kind.digest({ ...transfer, amountMinor: transfer.quantityMinor, terms: null });
    },
    recheck: (tx, id) => recheck(tx, kind, id),
    ...approvalEnds(kind),
  };
}

function tieFacts(task: TaskSnapshot, locale: Locale): SubjectBrief['facts'] {
  const { tie } = contentOf(task);
  if (!tie) return [];
  const minor = BigInt(tie.kind === 'test' ? tie.totalMinor : tie.testMinor);
  const amount = `${sayAmount(minor, task.decimals ?? 0)} ${task.coin ?? ''}`;
  const say = (part: string) => translate(locale, `transfer.task.${tie.kind}.${part}`, { amount });
  return [{ label: say('label'), value: say('value') }];
}

/** The same with the other transfer as it is now. */
async function tiedTo(tx: Tx, { subjectId, amountMinor, decimals }: TaskSnapshot): Promise<Tied> {
  const { totalMinor, restOf, testMinor, testStatus } = await readTie(tx, subjectId);
  const say = (minor: bigint) => formatAmount(minor, decimals ?? 0);
  return {
    test: totalMinor === null ? null : { total: say(totalMinor), rest: say(totalMinor - (amountMinor ?? 0n)) },
    restOf:
      restOf === null || testMinor === null || testStatus === null
        ? null
        : { transactionId: restOf, amount: say(testMinor), status: testStatus },
  };
}

async function evidence(tx: Tx, families: ChainFamilies, id: string, locale: Locale): Promise<Evidence | null> {
  const transfer = await readReviewed(tx, id);
  if (!transfer) return null;
  const { coin, decimals, payeeAccount, chainId } = transfer;
  const family = familyOf(families, transfer);
  const paid = await countPaidTo(tx, payeeAccount, transfer.createdAt);
  const alike = await lookAlikesOf(tx, { findDealtWith }, family, { chainId, address: payeeAccount });
  const held = transfer.quantityMinor + transfer.feeMinor;
  const isHeld = transfer.status === 'pending';
  const say = (minor: bigint) => formatAmount(minor, decimals);
  return {
    party: {
      id: transfer.payeeStatus === 'deleted' ? null : transfer.payeeId,
      name: transfer.payeeName,
      account: payeeAccount,
      addedAt: transfer.payeeAddedAt?.toISOString() ?? null,
      addedBy: transfer.payeeAddedBy,
      paymentCount: paid.count,
      lastPaymentAt: paid.lastAt?.toISOString() ?? null,
      lookAlikes: alike.map(({ address, label }) => ({ account: address, name: label })),
      warnings: warningsOf(transfer.payeeCode, locale),
    },
    balance: isHeld
      ? { coin, decimals, before: say(transfer.availableMinor + held), after: say(transfer.availableMinor) }
      : null,
    attachments: await findFiles(tx, transfer.attachmentIds),
    risk: await riskEvidence(tx, id, locale),
  };
}

/** What is at the payee's address, as it was last looked at, where that should give pause. */
function warningsOf(code: ReviewedTransfer['payeeCode'], locale: Locale): string[] {
  return code === 'token' || code === 'contract' ? [translate(locale, `transfer.task.${code}`)] : [];
}

/** Judged as at submission: the payee, the wallet, then risk. */
async function recheck(tx: Tx, kind: OutgoingKind, id: string): Promise<{ reason: string } | null> {
  const transfer = await readReviewed(tx, id);
  invariant(transfer, 'a task of a transfer has its transfer');
  if (transfer.payeeStatus !== 'usable') return { reason: 'stage.reason.payeeUnusable' };
  return recheckRisk(tx, kind, id);
}
