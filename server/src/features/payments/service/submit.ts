import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { createPayment, fiatTransferOut } from '@causeway/contract/payments.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, together } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';
import { findFilesOf } from '../../files/index.ts';
import {
  type Applicant,
  type OpenSubmissions,
  type OutgoingKind,
  openSubmissions,
  submitPayments,
} from '../../outgoing/index.ts';
import { type PayoutRow, readPayoutRows } from '../store/submission.ts';
import { type PayoutPorts, preparePayout } from './prepare.ts';

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
    outcomeOf(() => ({
      ...preparePayout(item.context, item.input, rows[item.place] ?? null, attachments[item.place] ?? []),
      ...applicantOf(item),
    })),
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
