import type { Body } from '@causeway/contract/call.ts';
import type { StoredFile } from '@causeway/contract/files.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { type Outcome, outcomeOf } from '../../../platform/batching.ts';
import type { CompaniesTx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { Session, SignedInContext } from '../../../platform/session.ts';
import { asTheyCome, slices } from '../../../platform/turns.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { type OutgoingKind, type SubmitPorts, type SubmittedPayment, usdCentsOf } from '../../outgoing/index.ts';
import { type FeeBasis, readFeeBasis } from '../../rails/index.ts';
import { checkSubmission, transferDigest } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { insertPromised, type PromisedNetworkFee } from '../store/network-fees.ts';
import { readSubmissions, type SubmissionRow } from '../store/submission.ts';
import type { TestRow } from '../store/tests.ts';
import { type NetworkPromise, promiseOf } from './network-fees.ts';
import type { TransferTask } from './subject.ts';
import { checkTied } from './testing-first.ts';

/** What a transfer is before it is proved: its content read, and held to the rules that need no other transfer. */

/** What the routes bind: of the entry point, and the transfer as a kind of payment and of approval. */
export interface TransferPorts extends SubmitPorts, TransferKinds {}

export interface TransferKinds {
  families: ChainFamilies;
  kind: OutgoingKind;
  subject: ApprovalSubject;
}

export type PreparingContext = Pick<SignedInContext, 'session' | 'clock'> & TransferKinds;

/** A transfer as it is asked for, apart from its proof. `fee` null: the one in force. */
export type TransferDraft = Omit<Body<typeof transferOut>, 'code' | 'codeMethod' | 'fee'> & { fee: string | null };

/** What was read for one. */
export interface TransferFacts {
  row: SubmissionRow | null;
  attachments: readonly StoredFile[];
  test: TestRow | null;
  /** Of what fees are computed where the network's is a choice. */
  bases: ReadonlyMap<string, FeeBasis | null>;
}

/** A transfer that lacks nothing but its proof. */
export type PreparedTransfer = Omit<SubmittedPayment, 'proof' | 'context'> & Tied & { at: Date };

/** How many transfers one statement reads for: those before them are prepared meanwhile. */
const readSize = 1000;

/**
 * Reads and prepares a member's transfers without attachments, each as if it were the only one, in two round trips.
 * @returns in order: what is to be submitted, or why it is refused
 */
export async function prepareTransfers(
  tx: CompaniesTx,
  context: PreparingContext,
  drafts: readonly Omit<TransferDraft, 'attachmentIds' | 'testTotal' | 'restOf'>[],
  /** Minor units that become available, before any of them is held, in the transaction that submits them. */
  becomesAvailableMinor = 0n,
): Promise<Outcome<PreparedTransfer>[]> {
  if (drafts.length === 0) return [];
  const { companyId } = context.session;
  const read = [...slices(drafts, readSize)];
  const statements = read.map((some) =>
    readSubmissions(
      tx,
      some.map(({ id, walletId, payeeId, category = null }) => ({ companyId, id, walletId, payeeId, category })),
    ),
  );
  const bases = new Map<string, FeeBasis | null>();
  const outcomes: Outcome<PreparedTransfer>[] = [];
  await asTheyCome(statements, async (rows, place) => {
    const some = read[place] ?? [];
    await readBases(
      tx,
      some.map(() => ({ context })),
      rows,
      bases,
    );
    for (const [at, draft] of some.entries()) {
      const row = rows[at] ?? null;
      if (row) row.availableMinor += becomesAvailableMinor;
      const facts = { row, attachments: [], test: null, bases };
      outcomes.push(outcomeOf(() => prepareTransfer(context, { ...draft, attachmentIds: [] }, facts)));
    }
  });
  return outcomes;
}

/** The statements that write what these transfers, which were accepted, promise the network. */
export function writePromises(
  tx: CompaniesTx,
  accepted: readonly (Pick<PreparedTransfer, 'payment' | 'network'> & { companyId: string })[],
): Promise<unknown>[] {
  return insertPromised(tx, promisedBy(accepted));
}

/** What is written of the promises of these transfers: plain data. */
export function promisedBy(
  accepted: readonly (Pick<PreparedTransfer, 'payment' | 'network'> & { companyId: string })[],
): PromisedNetworkFee[] {
  return accepted.flatMap(({ companyId, payment, network }) =>
    network === null ? [] : [{ companyId, id: payment.id, ...network }],
  );
}

const basisKey = (companyId: string, chainId: string) => `${companyId} ${chainId}`;

/** Once for each company and chain, and behind the locks; what was read before is in `bases`, to which it adds. */
export async function readBases(
  tx: CompaniesTx,
  items: readonly { context: PreparingContext }[],
  rows: readonly (SubmissionRow | null)[],
  bases = new Map<string, FeeBasis | null>(),
): Promise<ReadonlyMap<string, FeeBasis | null>> {
  for (const [place, { context }] of items.entries()) {
    const row = rows[place];
    if (!row || !familyOf(context.families, row).choosesFee) continue;
    const { companyId } = context.session;
    const key = basisKey(companyId, row.walletChainId);
    if (!bases.has(key)) bases.set(key, await readFeeBasis(tx, companyId, row.walletChainId));
  }
  return bases;
}

/** What its approvers are to know of a test: that it is one, or that it is the rest of one. */
function tieOf(testTotalMinor: bigint | null, test: TestRow | null): TransferTask['tie'] {
  if (testTotalMinor !== null) return { kind: 'test', totalMinor: testTotalMinor.toString() };
  return test === null ? null : { kind: 'rest', testMinor: test.amountMinor.toString() };
}

/** What ties a transfer to a test, or to its rest, and what it promises the network. */
export interface Tied {
  testTotalMinor: bigint | null;
  restOf: string | null;
  network: NetworkPromise | null;
}

/**
 * The rules of one transfer that need no other. Those of its code, risk and approval come after them.
 * @throws DomainError the first that refuses it
 */
export function prepareTransfer(
  context: PreparingContext,
  body: TransferDraft,
  { row: found, attachments, test, bases }: TransferFacts,
): PreparedTransfer {
  const { row, amountMinor, digest } = contentOf(context.session, body, found);
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { coin, decimals, walletChainId: chainId, payee } = row;
  const stated = body.fee === null ? null : amountOf(body.fee, { asset: coin, decimals }, 'fee');
  const network = promiseOf(row, context.families, {
    basis: bases.get(basisKey(context.session.companyId, chainId)) ?? null,
    feeLevel: body.feeLevel,
    feeMinor: stated,
    amountMinor,
  });
  const feeMinor = stated ?? row.feeMinor + (network?.networkFeeMinor ?? 0n);
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
  return { kind: context.kind, payment, testTotalMinor, restOf, network, at: row.at };
}

/** What a transfer's content means now, and the digest that its code must be bound to. */
interface Content {
  row: SubmissionRow;
  amountMinor: bigint;
  digest: string;
}

export function contentOf(
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
