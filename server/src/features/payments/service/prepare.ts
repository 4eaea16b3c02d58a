import { randomUUID } from 'node:crypto';
import type { Body } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { createPayment, fiatTransferOut } from '@causeway/contract/payments.ts';
import { chargeBearersOf } from '@causeway/contract/payments-rules.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import type { CompaniesTx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { amountOf } from '../../ledger/index.ts';
import {
  type BankPart,
  type OutgoingKind,
  type SubmitPorts,
  type SubmittedPayment,
  usdCentsOf,
} from '../../outgoing/index.ts';
import { changedUntilOf } from '../../payees/index.ts';
import { checkPayout } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { type PayoutRow, readPayoutRows } from '../store/submission.ts';
import { arrivalOf, factsOf, feeOf, meaningOf, type PayoutMeaning, wayOf } from './content.ts';
import type { PayoutTask } from './subject.ts';

/** What a payment out of a bank is before it is proved: its content read, and held to the rules that need no other payment. */

/** What the routes bind: of the entry point, and the payment as a kind of payment and of approval. */
export interface PayoutPorts extends SubmitPorts, PayoutKinds {}

export interface PayoutKinds {
  families: ChainFamilies;
  kind: OutgoingKind;
  subject: ApprovalSubject;
}

export type PreparingContext = Pick<SignedInContext, 'session' | 'clock'> & PayoutKinds;

type PayoutBody = Body<typeof fiatTransferOut> | Body<typeof createPayment>;

/** A payment as it is asked for, apart from its proof. `fee` null: the one in force. */
export type PayoutDraft = Omit<PayoutBody, 'code' | 'codeMethod' | 'fee'> & { fee: string | null };

/** A payment that lacks nothing but its proof. */
export type PreparedPayout = Omit<SubmittedPayment, 'proof' | 'context'> & { at: Date };

/**
 * Reads and prepares a member's payments without files, each as if it were the only one, in one round trip.
 * @returns in order: what is to be submitted, or why it is refused
 */
export async function preparePayouts(
  tx: CompaniesTx,
  context: PreparingContext,
  drafts: readonly Omit<PayoutDraft, 'attachmentIds'>[],
): Promise<Outcome<PreparedPayout>[]> {
  if (drafts.length === 0) return [];
  const { companyId } = context.session;
  const rows = await readPayoutRows(
    tx,
    drafts.map(({ id, walletId, payeeId, versionId, category = null }) => ({
      companyId,
      id,
      walletId,
      payeeId,
      versionId,
      category,
    })),
  );
  return drafts.map((draft, place) =>
    outcomeOf(() => preparePayout(context, { ...draft, attachmentIds: [] }, rows[place] ?? null, [])),
  );
}

/**
 * The rules of one payment that need no other. Those of its code, risk and approval come after them.
 * @throws DomainError the first that refuses it
 */
export function preparePayout(
  context: PreparingContext,
  body: PayoutDraft,
  found: PayoutRow | null,
  attachments: readonly StoredFile[],
): PreparedPayout {
  const meaning = meaningOf(context.session, body, found);
  const { row, payee, amountMinor, terms, digest } = meaning;
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { currency, decimals } = row;
  const way = wayOf(payee);
  invariant(way, 'a payment that has terms has a way');
  const feeMinor = body.fee === null ? feeOf(row, way) : amountOf(body.fee, { asset: currency, decimals }, 'fee');
  const [first] = chargeBearersOf(way);
  checkPayout(factsOf(row), {
    form: body.form,
    versionId: body.versionId,
    amountMinor,
    feeMinor,
    charges: body.charges ?? first ?? 'shared',
    purpose: body.purpose ?? null,
    remittance: body.remittance ?? '',
    attachments: body.attachmentIds.length,
    attachmentTypes: attachments.map(({ type }) => type),
  });
  const valueUsdCents = usdCentsOf({ ...row, coin: currency }, amountMinor, context.clock.now());
  const { id, walletId, payeeId, attachmentIds } = body;
  const notes = body.notes ?? '';
  const invoiceNumber = body.invoiceNumber ?? null;
  const category = row.knownCategory ?? body.category ?? null;
  const bank = bankPartOf(meaning, body.form, terms);
  const content: PayoutTask = {
    form: body.form,
    payeeName: payee.label,
    payeeAccount: payee.account,
    bank: row.bankNames,
    changed: bank.changed !== null,
    feeMinor: feeMinor.toString(),
    notes,
    invoiceNumber,
    category,
    attachments,
  };
  const judged = { id, currency, decimals, quantityMinor: amountMinor, valueUsdCents, country: payee.country };
  const payment = {
    id,
    walletId,
    chainId: null,
    coin: currency,
    decimals,
    amountMinor,
    feeMinor,
    dailyLimitMinor: row.dailyLimitMinor,
    valueUsdCents,
    available: { accountId: row.availableAccountId, balanceMinor: row.availableMinor },
    outboundAccountId: row.outboundAccountId,
    payee: { id: payeeId, name: payee.label, account: payee.account, changedUntil: bank.changed?.until ?? null },
    payer: { name: row.companyName, account: row.ownAccount },
    notes,
    invoiceNumber,
    category: category === null ? null : { name: category, isNew: row.knownCategory === null },
    attachmentIds,
    bank,
    digest,
    risk: riskSubjectOf(context.families, {
      ...judged,
      account: payee.account,
      initiatorId: context.session.userId,
    }),
    subject: context.subject,
    task: {
      content: { ...content },
      search: [invoiceNumber, category, payee.name].filter((word) => word !== null),
    },
  };
  return { kind: context.kind, payment, at: row.at };
}

export function bankPartOf(
  { row, payee }: Pick<PayoutMeaning, 'row' | 'payee'>,
  form: BankPart['form'],
  terms: string,
): BankPart {
  const way = wayOf(payee);
  invariant(way, 'a payment that has terms has a way');
  const until = changedUntilOf(payee, row.changedPayeeDays);
  const isChanged = until !== null && until > row.at;
  return {
    form,
    bankId: row.bank,
    versionId: payee.versionId,
    terms,
    uetr: randomUUID(),
    expected: arrivalOf(row, way),
    changed: isChanged ? { until, beforeVersionId: payee.beforeVersionId } : null,
    verification: payee.verification && { answer: payee.verification, bankName: payee.verifiedName },
  };
}
