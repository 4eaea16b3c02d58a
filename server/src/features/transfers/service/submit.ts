import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';
import type { Session } from '../../../platform/session.ts';
import { findFilesOf } from '../../files/index.ts';
import {
  type Applicant,
  type OpenSubmissions,
  type OutgoingKind,
  openSubmissions,
  type SubmittedPayment,
  submitPayments,
} from '../../outgoing/index.ts';
import { readSubmission, readSubmissions, type SubmissionRow } from '../store/submission.ts';
import { insertTests, readTests, type TestRow } from '../store/tests.ts';
import {
  contentOf,
  prepareTransfer,
  readBases,
  type Tied,
  type TransferFacts,
  type TransferPorts,
  writePromises,
} from './prepare.ts';

type TransferBody = Body<typeof transferOut>;
type TransferItem = Item<typeof transferOut, TransferPorts>;

/** What is read for all transfers of a batch; rows and attachments in the order of their places. */
interface World {
  opened: OpenSubmissions;
  rows: readonly (SubmissionRow | null)[];
  bases: TransferFacts['bases'];
  attachments: readonly (readonly StoredFile[])[];
  tests: readonly (TestRow | null)[];
}

/**
 * Submits transfers: checks the rules of each, consumes its code, holds amount and fee, and announces it to the worker, all in
 * one transaction. A repetition with the same key returns the first response.
 */
export const submitting: BatchUseCase<typeof transferOut, TransferPorts, World> = {
  // The code is left out: a person who must ask for a new code after a lost answer still repeats the same transfer.
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  read: readAll,
  work: submitAll,
};

async function readAll(tx: CompaniesTx, items: readonly TransferItem[]): Promise<World> {
  const ofCompany = <T>(of: (body: TransferBody) => T) =>
    items.map(({ context, input }) => ({ companyId: context.session.companyId, ...of(input) }));
  const [opened, rows, attachments, tests] = await together([
    openSubmissions(tx, items.map(applicantOf)),
    readSubmissions(
      tx,
      ofCompany(({ id, walletId, payeeId, category }) => ({ id, walletId, payeeId, category: category ?? null })),
    ),
    findFilesOf(
      tx,
      ofCompany(({ attachmentIds: ids }) => ({ ids })),
    ),
    readTests(
      tx,
      ofCompany(({ restOf }) => ({ testId: restOf ?? null })),
    ),
  ]);
  return { opened, rows, bases: await readBases(tx, items, rows), attachments, tests };
}

function applicantOf({ context, input: { codeMethod: method, code } }: TransferItem): Applicant<OutgoingKind> {
  return { kind: context.kind, context, proof: { method, code } };
}

async function submitAll(
  tx: CompaniesTx,
  items: readonly TransferItem[],
  { opened, rows, bases, attachments, tests }: World,
): Promise<Outcome<OutputInput<typeof transferOut>>[]> {
  const rested = new Set<string>();
  const checked = items.map((item) =>
    outcomeOf(() => {
      const { place, context, input } = item;
      const test = tests[place] ?? null;
      // Of two in one batch that would send the same rest, the first does.
      const key = `${context.session.companyId} ${input.restOf}`;
      const files = attachments[place];
      invariant(files, 'attachments were read for each transfer');
      const prepared = prepareTransfer(context, input, {
        row: rows[place] ?? null,
        attachments: files,
        test: test && { ...test, restSent: test.restSent || rested.has(key) },
        bases,
      });
      rested.add(key);
      return { ...prepared, ...applicantOf(item) };
    }),
  );
  const passed = checked.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const stages = await submitPayments(tx, opened, passed);
  tx.leave([
    ...writingTests(tx, passed, stages),
    ...writePromises(
      tx,
      passed.flatMap((each, index) =>
        'answer' in (stages[index] ?? {}) ? [{ ...each, companyId: each.context.session.companyId }] : [],
      ),
    ),
  ]);
  const stageOf = new Map(passed.map((submission, index) => [submission, stages[index]]));
  return checked.map((outcome) => {
    if ('refused' in outcome) return outcome;
    const stage = stageOf.get(outcome.answer);
    invariant(stage, 'a transfer that passed its checks is decided');
    if ('refused' in stage) return stage;
    const { payment, at } = outcome.answer;
    return { answer: { id: payment.id, status: 'pending', stage: stage.answer, createdAt: at.toISOString() } };
  });
}

/** The statements that write which of those that were accepted are tests, or the rest of one. */
function writingTests(
  tx: CompaniesTx,
  passed: readonly (SubmittedPayment & Tied)[],
  stages: readonly Outcome<unknown>[],
): Promise<unknown>[] {
  const accepted = passed.filter((_, index) => 'answer' in (stages[index] ?? {}));
  const keyOf = ({ context, payment }: SubmittedPayment) => ({ companyId: context.session.companyId, id: payment.id });
  return insertTests(
    tx,
    accepted.flatMap((each) =>
      each.testTotalMinor === null ? [] : [{ ...keyOf(each), totalMinor: each.testTotalMinor }],
    ),
    accepted.flatMap((each) => (each.restOf === null ? [] : [{ ...keyOf(each), testId: each.restOf }])),
  );
}

/** What the mail with a transfer's code is bound to and says: the digest, and the facts of the transfer. */
export async function describeTransfer(
  tx: Tx,
  session: Session,
  content: TransferContent,
): Promise<{ digest: string; facts: { amount: string; coin: string; chain: string; payee: string; address: string } }> {
  const { row, amountMinor, digest } = contentOf(session, content, await readSubmission(tx, content));
  invariant(row.payee, 'a readable transfer has a payee');
  const facts = {
    amount: sayAmount(amountMinor, row.decimals),
    coin: row.coin,
    chain: row.chainName,
    payee: row.payeeLabel ?? '',
    address: row.payee.address,
  };
  return { digest, facts };
}
