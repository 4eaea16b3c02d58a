import type { Evidence } from '@causeway/contract/approvals.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount, sayAmount } from '@causeway/contract/money.ts';
import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { ApprovalSubject, TaskSnapshot } from '../../approvals/index.ts';
import { nameOfPlace, type PlaceNames } from '../../banks/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findFiles } from '../../files/index.ts';
import { approvalEnds, type OutgoingKind, readTerms, recheckRisk, riskEvidence } from '../../outgoing/index.ts';
import { accountKey, findBankPayeesAlike, nameLikeness } from '../../payees/index.ts';
import { findType } from '../../transactions/index.ts';
import { type BoughtTask, boughtOf, buyApproved } from '../crypto/approving.ts';
import { createCryptoPayoutKind, createPayoutKind } from '../kind.ts';
import { countPaidTo, type ReviewedPayout, readReviewed } from '../store/reviewing.ts';
import { payoutOf } from './detail.ts';

/** What a payment's task keeps of it, as it was submitted; amounts in minor units, as text. */
export interface PayoutTask {
  form: PayoutForm;
  payeeName: string;
  payeeAccount: string;
  /** The bank of the paying wallet, by its names in all languages. */
  bank?: PlaceNames;
  /** Its English name alone, in tasks that were opened before all names were kept. */
  bankName?: string;
  /** The payee's account was a changed one at that time. */
  changed: boolean;
  feeMinor: string;
  notes: string;
  invoiceNumber: string | null;
  category: string | null;
  attachments: readonly StoredFile[];
  /** Of one out of coins: what the payee is credited, and the most of the coin that leaves; the task's own amount is what was quoted. */
  bought?: BoughtTask;
}

/** As `openTask` was given it. */
function contentOf({ content }: Pick<TaskSnapshot, 'content'>): PayoutTask {
  return content as unknown as PayoutTask;
}

/**
 * What a payment out of a bank is to its approvers (docs/adr/0035, 0057). `seal`: of the process in which tasks are decided, which seals what the last approval
 * buys; null where they are only read or ended.
 */
export function createPayoutSubject(families: ChainFamilies, seal: Seal | null): ApprovalSubject {
  const kind = createPayoutKind(families);
  const coins = createCryptoPayoutKind(families);
  const ends = approvalEnds(kind);
  return {
    kind: 'payment',
    shape: 'payment',
    adoptable: true,
    changesControls: false,
    auditKind: 'transaction',
    notices: 'approval',
    locks: ['freezes'],
    initiation: 'transfer.create',
    partyPermission: 'payee.view',
    name(task, locale) {
      const { payeeName: payee, form } = contentOf(task);
      return translate(locale, `payment.task.${form}`, { payee });
    },
    noticeValues(task) {
      return { payee: contentOf(task).payeeName, tie: 'none' };
    },
    brief(task, locale) {
      const { payeeName: name, payeeAccount: account, bank, bankName, changed, bought } = contentOf(task);
      const paying = bank ? nameOfPlace(bank, locale) : (bankName ?? '');
      return {
        party: { name, account },
        facts: [
          ...(bought ? boughtFacts(task, bought, locale) : []),
          { label: translate(locale, 'payment.task.bank'), value: paying },
        ],
        marks: changed ? [translate(locale, 'approvals.mark.changedAccount')] : [],
      };
    },
    async content(tx, task, { locale }) {
      const { feeMinor, notes, invoiceNumber, category, attachments, bought } = contentOf(task);
      return {
        shape: 'payment',
        fee: formatAmount(BigInt(feeMinor), task.decimals ?? 0),
        notes,
        invoiceNumber,
        category,
        test: null,
        restOf: null,
        attachments: [...attachments],
        evidence: await evidence(tx, task.subjectId, locale),
        payout: await payoutOf(tx, task.subjectId, locale),
        bought: await boughtOf(tx, task.subjectId, bought, task.decimals ?? 0),
      };
    },
    link: ({ subjectId }, locale) => ({
      path: `/app/transaction/${subjectId}`,
      text: translate(locale, 'payment.task.open'),
    }),
    auditDetail: () => ({}),
    async digest(tx, id) {
      const payout = await readReviewed(tx, id);
      // An account that was changed meanwhile voids the task; what was submitted is never paid to another.
      return payout && payout.versionId === payout.currentVersionId ? kind.digest(payout) : null;
    },
    recheck: (tx, id) => recheck(tx, kind, id),
    ...ends,
    async withdrawn(tx, context, task) {
      const isOfCoins = (await findType(tx, task.subjectId)) === coins.type;
      return (isOfCoins ? approvalEnds(coins) : ends).withdrawn(tx, context, task);
    },
    async approved(tx, id) {
      if ((await findType(tx, id)) !== coins.type) return ends.approved(tx, id);
      invariant(seal, 'a payment out of coins is approved where what it buys can be sealed');
      await buyApproved(tx, seal, coins, id);
    },
  };
}

/** What the payee is credited, and the most that leaves. */
function boughtFacts(
  { coin, decimals }: TaskSnapshot,
  { asset, decimals: payeeDecimals, amountMinor, boundMinor }: BoughtTask,
  locale: Locale,
) {
  return [
    {
      label: translate(locale, 'payment.task.credited'),
      value: `${sayAmount(BigInt(amountMinor), payeeDecimals)} ${asset}`,
    },
    {
      label: translate(locale, 'payment.task.most'),
      value: `${sayAmount(BigInt(boundMinor), decimals ?? 0)} ${coin ?? ''}`,
    },
  ];
}

async function evidence(tx: Tx, id: string, locale: Locale): Promise<Evidence | null> {
  const payout = await readReviewed(tx, id);
  if (!payout) return null;
  const { payeeAccount, payeeId, status, availableMinor, coins, boughtWith } = payout;
  const paid = await countPaidTo(tx, payeeId, payout.createdAt);
  // Of one out of coins the most that may leave is held.
  const { coin, decimals, held } =
    coins && boughtWith
      ? { coin: coins.asset, decimals: coins.decimals, held: boughtWith.boundMinor }
      : { coin: payout.coin, decimals: payout.decimals, held: payout.amountMinor + payout.feeMinor };
  const say = (minor: bigint) => formatAmount(minor, decimals);
  return {
    party: {
      id: payout.payeeStatus === 'deleted' ? null : payeeId,
      name: payout.payeeName,
      account: payeeAccount,
      addedAt: payout.payeeAddedAt?.toISOString() ?? null,
      addedBy: payout.payeeAddedBy,
      paymentCount: paid.count,
      lastPaymentAt: paid.lastAt?.toISOString() ?? null,
      lookAlikes: await alike(tx, payout),
      warnings: [],
    },
    balance:
      status === 'pending' && (coins === null || payout.stage === 'waiting_approval')
        ? { coin, decimals, before: say(availableMinor + held), after: say(availableMinor) }
        : null,
    attachments: await findFiles(tx, [...payout.attachmentIds]),
    risk: await riskEvidence(tx, id, locale),
  };
}

async function alike(tx: Tx, { terms, payeeId }: ReviewedPayout): Promise<{ account: string; name: string }[]> {
  const account = { ...readTerms(terms), firstName: null, lastName: null, account: '' };
  const found = await findBankPayeesAlike(tx, {
    likeness: nameLikeness(account.name),
    key: accountKey(account),
    except: payeeId,
  });
  return found.map(({ account: other, label }) => ({ account: other, name: label }));
}

/** Judged as at submission: the payee, then risk. */
async function recheck(tx: Tx, kind: OutgoingKind, id: string): Promise<{ reason: string } | null> {
  const payout = await readReviewed(tx, id);
  invariant(payout, 'a task of a payment has its payment');
  if (payout.payeeStatus !== 'usable') return { reason: 'stage.reason.payeeUnusable' };
  return recheckRisk(tx, kind, id);
}
