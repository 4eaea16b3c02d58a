import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import { type CompaniesTx, type Tx, together } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { BatchUseCase, Item } from '../../../platform/http/route.ts';
import type { Session } from '../../../platform/session.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { findFilesOf } from '../../files/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import {
  type Applicant,
  type OpenSubmissions,
  type OutgoingKind,
  openSubmissions,
  type SubmitPorts,
  type SubmittedPayment,
  submitPayments,
  usdCentsOf,
} from '../../outgoing/index.ts';
import { type FeeBasis, readFeeBasis } from '../../rails/index.ts';
import { checkSubmission, transferDigest } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { insertPromised } from '../store/network-fees.ts';
import { readSubmission, readSubmissions, type SubmissionRow } from '../store/submission.ts';
import { insertTests, readTests, type TestRow } from '../store/tests.ts';
import { type NetworkPromise, promiseOf } from './network-fees.ts';
import type { TransferTask } from './subject.ts';
import { checkTied } from './testing-first.ts';

/** What the routes bind: of the entry point, and the transfer as a kind of payment and of approval. */
interface TransferPorts extends SubmitPorts {
  families: ChainFamilies;
  kind: OutgoingKind;
  subject: ApprovalSubject;
}

type TransferBody = Body<typeof transferOut>;
type TransferItem = Item<typeof transferOut, TransferPorts>;

/** What is read for all transfers of a batch; rows and attachments in the order of their places. */
interface World {
  opened: OpenSubmissions;
  rows: readonly (SubmissionRow | null)[];
  /** Of what fees are computed where the network's is a choice. */
  bases: ReadonlyMap<string, FeeBasis | null>;
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

const basisKey = (companyId: string, chainId: string) => `${companyId} ${chainId}`;

/** Once for each company and chain, and behind the locks. */
async function readBases(
  tx: CompaniesTx,
  items: readonly TransferItem[],
  rows: readonly (SubmissionRow | null)[],
): Promise<ReadonlyMap<string, FeeBasis | null>> {
  const bases = new Map<string, FeeBasis | null>();
  for (const [place, { context }] of items.entries()) {
    const row = rows[place];
    if (!row || !familyOf(context.families, row).choosesFee) continue;
    const { companyId } = context.session;
    const key = basisKey(companyId, row.walletChainId);
    if (!bases.has(key)) bases.set(key, await readFeeBasis(tx, companyId, row.walletChainId));
  }
  return bases;
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
      const submitted = check(item, rows[place] ?? null, files, {
        test: test && { ...test, restSent: test.restSent || rested.has(key) },
        bases,
      });
      rested.add(key);
      return submitted;
    }),
  );
  const passed = checked.flatMap((outcome) => ('answer' in outcome ? [outcome.answer] : []));
  const stages = await submitPayments(tx, opened, passed);
  tx.leave([...writingTests(tx, passed, stages), ...writingPromises(tx, passed, stages)]);
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

/** The statements that write what those that were accepted were promised to pay the network. */
function writingPromises(
  tx: CompaniesTx,
  passed: readonly (SubmittedPayment & Tied)[],
  stages: readonly Outcome<unknown>[],
): Promise<unknown>[] {
  return insertPromised(
    tx,
    passed.flatMap(({ context, payment, network }, index) =>
      network !== null && 'answer' in (stages[index] ?? {})
        ? [{ companyId: context.session.companyId, id: payment.id, ...network }]
        : [],
    ),
  );
}

/** What its approvers are to know of a test: that it is one, or that it is the rest of one. */
function tieOf(testTotalMinor: bigint | null, test: TestRow | null): TransferTask['tie'] {
  if (testTotalMinor !== null) return { kind: 'test', totalMinor: testTotalMinor.toString() };
  return test === null ? null : { kind: 'rest', testMinor: test.amountMinor.toString() };
}

/** What ties a transfer to a test, or to its rest, and what it promises the network. */
interface Tied {
  testTotalMinor: bigint | null;
  restOf: string | null;
  network: NetworkPromise | null;
}

/** The rules of one transfer that need no other. Those of its code, risk and approval come after them. */
function check(
  item: TransferItem,
  found: SubmissionRow | null,
  attachments: readonly StoredFile[],
  { test, bases }: { test: TestRow | null; bases: World['bases'] },
): SubmittedPayment & Tied & { at: Date } {
  const { context, input: body } = item;
  const { row, amountMinor, digest } = contentOf(context.session, body, found);
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { coin, decimals, walletChainId: chainId, payee } = row;
  const feeMinor = amountOf(body.fee, { asset: coin, decimals }, 'fee');
  const network = promiseOf(row, context.families, {
    basis: bases.get(basisKey(context.session.companyId, chainId)) ?? null,
    feeLevel: body.feeLevel,
    feeMinor,
    amountMinor,
  });
  const facts = { ...row, feeMinor: network === null ? row.feeMinor : feeMinor, attachmentsFound: attachments.length };
  checkSubmission(facts, familyOf(context.families, row), {
    amountMinor,
    feeMinor,
    attachments: body.attachmentIds.length,
  });
  invariant(payee, 'a transfer that passed its checks has a payee');
  const { id, walletId, attachmentIds } = body;
  const testTotalMinor =
    body.testTotal === undefined ? null : amountOf(body.testTotal, { asset: coin, decimals }, 'testTotal');
  const restOf = body.restOf ?? null;
  checkTied({ walletId, payeeId: body.payeeId, amountMinor, testTotalMinor, restOf }, test);
  const initiatorId = context.session.userId;
  const payeeAccount = payee.address;
  const valueUsdCents = usdCentsOf(row, amountMinor, context.clock.now());
  const judged = { id, chainId, coin, decimals, quantityMinor: amountMinor, valueUsdCents, payeeAccount, initiatorId };
  const notes = body.notes ?? '';
  const name = row.payeeLabel ?? '';
  const invoiceNumber = body.invoiceNumber ?? null;
  const category = row.knownCategory ?? body.category ?? null;
  const content = {
    payeeName: name,
    payeeAccount,
    chainName: row.chainName,
    feeMinor: feeMinor.toString(),
    notes,
    invoiceNumber,
    category,
    tie: tieOf(testTotalMinor, test),
    attachments,
  };
  const payment = {
    id,
    walletId,
    chainId,
    coin,
    decimals,
    amountMinor,
    feeMinor,
    dailyLimitMinor: row.dailyLimitMinor,
    valueUsdCents,
    available: { accountId: row.availableAccountId, balanceMinor: row.availableMinor },
    outboundAccountId: row.outboundAccountId,
    payee: { id: body.payeeId, name, account: payeeAccount },
    payer: { name: row.companyName, account: row.ownAddress },
    notes,
    invoiceNumber,
    category: category === null ? null : { name: category, isNew: row.knownCategory === null },
    attachmentIds,
    bank: null,
    digest,
    risk: riskSubjectOf(context.families, judged),
    subject: context.subject,
    task: { content, search: [invoiceNumber, category].filter((word) => word !== null) },
  };
  return { ...applicantOf(item), payment, testTotalMinor, restOf, network, at: row.at };
}

/** What a transfer's content means now, and the digest that its code must be bound to. */
interface Content {
  row: SubmissionRow;
  amountMinor: bigint;
  digest: string;
}

function contentOf(
  session: Session,
  content: Pick<TransferContent, 'id' | 'walletId' | 'payeeId' | 'amount' | 'notes' | 'attachmentIds'>,
  row: SubmissionRow | null,
): Content {
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(content.amount, { asset: row.coin, decimals: row.decimals });
  if (!row.payee) throw refusal('payeeNotFound', {}, 'payeeId');
  const digest = transferDigest({
    companyId: session.companyId,
    transferId: content.id,
    walletId: content.walletId,
    payeeId: content.payeeId,
    payeeAddress: row.payee.address,
    chainId: row.walletChainId,
    coin: row.coin,
    amountMinor,
    notes: content.notes ?? '',
    attachmentIds: content.attachmentIds,
  });
  return { row, amountMinor, digest };
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
