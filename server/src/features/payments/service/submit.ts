import { randomUUID } from 'node:crypto';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { createPayment, fiatTransferOut } from '@causeway/contract/payments.ts';
import { chargeBearersOf } from '@causeway/contract/payments-rules.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';

import type { ApprovalSubject } from '../../approvals/index.ts';
import type { ChainFamilies } from '../../chains/index.ts';
import { findFilesOf } from '../../files/index.ts';
import { amountOf } from '../../ledger/index.ts';
import {
  type Applicant,
  type BankPart,
  type OpenSubmissions,
  type OutgoingKind,
  openSubmissions,
  type SubmitPorts,
  type SubmittedPayment,
  submitPayments,
  usdCentsOf,
} from '../../outgoing/index.ts';
import { changedUntilOf } from '../../payees/index.ts';
import { checkPayout } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { type PayoutRow, readPayoutRows } from '../store/submission.ts';
import { arrivalOf, factsOf, meaningOf, type PayoutMeaning, wayOf } from './content.ts';
import type { PayoutTask } from './subject.ts';

/** What the routes bind: of the entry point, and the payment as a kind of payment and of approval. */
export interface PayoutPorts extends SubmitPorts {
  families: ChainFamilies;
  kind: OutgoingKind;
  subject: ApprovalSubject;
}

/** The calls that submit a payment; they differ in what they ask for, not in what is done. */
type PayoutItem = Item<typeof fiatTransferOut, PayoutPorts> | Item<typeof createPayment, PayoutPorts>;
type PayoutBody = Body<typeof fiatTransferOut> | Body<typeof createPayment>;

interface World {
  opened: OpenSubmissions;
  rows: readonly (PayoutRow | null)[];
  attachments: readonly (readonly StoredFile[])[];
}

const shared = {
  makes: ({ id }: { id: string }) => id,
  read: readAll,
  work: submitAll,
};

/** What is compared of a repeated request: the code is left out, since a person who asks for a new one still repeats the same payment. */
function withoutCode<T extends { code: string; codeMethod: string }>({
  code: _code,
  codeMethod: _method,
  ...request
}: T) {
  return request;
}

/**
 * Submits payments out of banks: checks the rules of each, consumes its code, holds amount and fee, and announces it to the worker, all in one
 * transaction. A repetition with the same key returns the first response.
 */
export const submittingTransfer: BatchUseCase<typeof fiatTransferOut, PayoutPorts, World> = {
  ...shared,
  request: withoutCode,
};

/** The same with vouchers. */
export const submittingPayment: BatchUseCase<typeof createPayment, PayoutPorts, World> = {
  ...shared,
  request: withoutCode,
};

async function readAll(tx: CompaniesTx, items: readonly PayoutItem[]): Promise<World> {
  const ofCompany = <T>(of: (body: PayoutBody) => T) =>
    items.map(({ context, input }) => ({ companyId: context.session.companyId, ...of(input) }));
  const [opened, rows, attachments] = await together([
    openSubmissions(tx, items.map(applicantOf)),
    readPayoutRows(
      tx,
      ofCompany(({ id, walletId, payeeId, versionId, category }) => ({
        id,
        walletId,
        payeeId,
        versionId,
        category: category ?? null,
      })),
    ),
    findFilesOf(
      tx,
      ofCompany(({ attachmentIds: ids }) => ({ ids })),
    ),
  ]);
  return { opened, rows, attachments };
}

function applicantOf({ context, input: { codeMethod: method, code } }: PayoutItem): Applicant<OutgoingKind> {
  return { kind: context.kind, context, proof: { method, code } };
}

async function submitAll(
  tx: CompaniesTx,
  items: readonly PayoutItem[],
  { opened, rows, attachments }: World,
): Promise<Outcome<OutputInput<typeof createPayment>>[]> {
  const checked = items.map((item) =>
    outcomeOf(() => check(item, rows[item.place] ?? null, attachments[item.place] ?? [])),
  );
  const passed = checked.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const stages = await submitPayments(tx, opened, passed);
  const stageOf = new Map(passed.map((submission, index) => [submission, stages[index]]));
  return checked.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const stage = stageOf.get(outcome.answer);
    invariant(stage, 'a payment that passed its checks is decided');
    if ('refused' in stage) return stage;
    const { payment, at } = outcome.answer;
    return { answer: { id: payment.id, status: 'pending', stage: stage.answer, createdAt: at.toISOString() } };
  });
}

/** The rules of one payment that need no other. Those of its code, risk and approval come after them. */
function check(
  item: PayoutItem,
  found: PayoutRow | null,
  attachments: readonly StoredFile[],
): SubmittedPayment & { at: Date } {
  const { context, input: body } = item;
  const meaning = meaningOf(context.session, body, found);
  const { row, payee, amountMinor, terms, digest } = meaning;
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { currency, decimals } = row;
  const feeMinor = amountOf(body.fee, { asset: currency, decimals }, 'fee');
  const way = wayOf(payee);
  invariant(way, 'a payment that has terms has a way');
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
  return { ...applicantOf(item), payment, at: row.at };
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
