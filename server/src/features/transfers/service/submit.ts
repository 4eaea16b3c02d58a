import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, databaseError, type Tx, together } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { type Answered, onceReading } from '../../../platform/idempotency.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Seal } from '../../../platform/seal.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { findRoute, openTask, type Routing, routeTransfer } from '../../approvals/index.ts';
import { findFiles } from '../../files/index.ts';
import { amountOf, move, post, refusal } from '../../ledger/index.ts';
import { record } from '../../risk/index.ts';
import { type AuthorisationClaims, checkSubmission, transferDigest } from '../domain.ts';
import { transferEvents } from '../events.ts';
import { insertTransfer, readSubmission, type SubmissionRow } from '../store/submission.ts';
import { refuseDenied, usdCentsOf, weighSubmission } from './judging.ts';

/** Consumes the code that proves the transfer, inside its transaction; throws codeWrong, codeBurnt, mfaNotBound. */
export type VerifyCode = (
  tx: Tx,
  request: { session: Session; method: 'email' | 'otp_auth'; code: string; digest: string },
) => Promise<{ method: string; id: string }>;

export interface SubmitDependencies {
  database: Database;
  verifyCode: VerifyCode;
  /** Seals the authorisation that the signer will check. */
  seal: Seal;
  clock: Clock;
}

type Answer = OutputInput<typeof transferOut>;

/**
 * Submits a transfer: checks the rules, consumes the code, holds amount and fee, and announces it to the worker, all in
 * one transaction. Repeated with the same key it answers the same.
 */
export async function submit(
  deps: SubmitDependencies,
  context: SignedInContext & { idempotencyKey: string },
  body: Body<typeof transferOut>,
): Promise<Answered<Answer>> {
  const { companyId, userId } = context.session;
  // The code is left out: a person who must ask for a new code after a lost answer still repeats the same transfer.
  const { code: _code, codeMethod: _method, ...request } = body;
  const once = {
    companyId,
    memberId: userId,
    key: context.idempotencyKey,
    call: 'transferOut',
    request,
    makes: body.id,
  };
  return onceReading(
    deps.database,
    once,
    (tx) => readContent(tx, context.session, body),
    (tx, content) => submitIn(tx, deps, context, body, content),
  );
}

/** The database is asked twice more: for what the decision needs, and with all that is written, which travels with the commit. */
async function submitIn(
  tx: Tx,
  deps: SubmitDependencies,
  context: SignedInContext,
  body: Body<typeof transferOut>,
  { row, amountMinor, digest }: Content,
): Promise<Answer> {
  const { session } = context;
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { coin, decimals, walletChainId: chainId, payee } = row;
  const feeMinor = amountOf(body.fee, { coin, decimals }, 'fee');
  checkSubmission(row, { amountMinor, feeMinor, attachments: body.attachmentIds.length });
  invariant(payee, 'a transfer that passed its checks has a payee');
  const valueUsdCents = usdCentsOf(row, amountMinor, deps.clock.now());
  const judged = { id: body.id, chainId, coin, decimals, payeeAccount: payee.address, initiatorId: session.userId };

  // A wrong code is remembered, and with it whatever was written before: so nothing is, until it has proved right.
  const [proof, weighed, route] = await together([
    deps.verifyCode(tx, { session, method: body.codeMethod, code: body.code, digest }),
    weighSubmission(tx, { ...judged, quantityMinor: amountMinor, valueUsdCents }),
    findRoute(tx, valueUsdCents),
  ]);
  // Risk first, approvals second (decisions, "Approvals and risk").
  await refuseDenied(tx, weighed, context.locale);
  const routing = await routeTransfer(tx, route, { initiatorId: session.userId, valueUsdCents, taskId: newId() });
  const claims: AuthorisationClaims = {
    version: 2,
    companyId: session.companyId,
    transferId: body.id,
    digest,
    initiatorId: session.userId,
    proof,
    review: sealedReview(routing),
    issuedAt: deps.clock.now().toISOString(),
  };
  const stage = routing.review === 'off' ? 'approved' : 'waiting_approval';

  tx.leave([
    ...record(tx, weighed),
    write(tx, {
      id: body.id,
      walletId: body.walletId,
      chainId,
      coin,
      amountMinor,
      feeMinor,
      payeeId: body.payeeId,
      payeeName: row.payeeLabel ?? '',
      payeeAccount: payee.address,
      payerName: row.companyName,
      payerAccount: row.ownAddress,
      notes: body.notes ?? '',
      initiatorId: session.userId,
      initiatorName: session.userName,
      digest,
      attachmentIds: body.attachmentIds,
      authorisation: deps.seal('causeway-transfer', claims),
      valueUsdCents,
      stage,
      stageIds: [newId(), newId()],
    }),
    hold(tx, row, body.id, amountMinor + feeMinor),
    announce(tx, [
      ...(stage === 'approved' ? [{ name: transferEvents.approved, payload: { transactionId: body.id } }] : []),
      live('transaction', body.id),
      live('balance', null),
    ]),
    audit(tx, {
      actor: actorOf(context),
      action: 'transfers.submit',
      subjectKind: 'transaction',
      subjectId: body.id,
      detail: { digest, proof: proof.method, stage },
    }),
  ]);
  await openReview(tx, context, body, { routing, row, amountMinor, feeMinor, valueUsdCents, digest });
  return { id: body.id, status: 'pending', stage, createdAt: row.at.toISOString() };
}

/** Opens the task that its approvers decide on, where the company's rules ask for one. */
async function openReview(
  tx: Tx,
  { session }: SignedInContext,
  body: Body<typeof transferOut>,
  review: {
    routing: Routing;
    row: SubmissionRow;
    amountMinor: bigint;
    feeMinor: bigint;
    valueUsdCents: bigint;
    digest: string;
  },
): Promise<void> {
  const { routing, row, amountMinor, feeMinor, valueUsdCents, digest } = review;
  if (routing.review === 'off') return;
  await openTask(tx, {
    kind: 'transfer',
    subjectId: body.id,
    digest,
    routing,
    initiator: { id: session.userId, name: session.userName },
    coin: row.coin,
    decimals: row.decimals,
    quantityMinor: amountMinor,
    feeMinor,
    valueUsdCents,
    payeeName: row.payeeLabel ?? '',
    payeeAccount: row.payee?.address ?? '',
    chainName: row.chainName,
    notes: body.notes ?? '',
    attachments: await findFiles(tx, body.attachmentIds),
  });
}

function sealedReview(routing: Routing): AuthorisationClaims['review'] {
  if (routing.review === 'off') return 'off';
  const { taskId, ruleId, ruleVersion, nodes } = routing;
  return { taskId, ruleId, ruleVersion, nodes: nodes.map(({ needed, people, roles }) => ({ needed, people, roles })) };
}

async function hold(tx: Tx, row: SubmissionRow, transferId: string, totalMinor: bigint): Promise<void> {
  try {
    await post(tx, {
      id: newId(),
      kind: 'transfer.reserve',
      sourceId: transferId,
      description: 'held for transfer',
      legs: move(row.availableAccountId, row.outboundAccountId, totalMinor),
    });
  } catch (error) {
    // Another transfer was quicker than this one's read: the locked balance decides.
    if (error instanceof DomainError && error.key === 'insufficientBalance') {
      throw refusal('insufficientBalance', { coin: row.coin }, 'amount');
    }
    throw error;
  }
}

async function write(tx: Tx, transfer: Parameters<typeof insertTransfer>[1]): Promise<void> {
  try {
    await insertTransfer(tx, transfer);
  } catch (error) {
    if (databaseError(error)?.constraint === 'transaction_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

/** What a transfer's content means now, and the digest that its code must be bound to. */
interface Content {
  row: SubmissionRow;
  amountMinor: bigint;
  digest: string;
}

async function readContent(
  tx: Tx,
  session: Session,
  content: Pick<TransferContent, 'id' | 'walletId' | 'payeeId' | 'amount' | 'notes' | 'attachmentIds'>,
): Promise<Content> {
  const row = await readSubmission(tx, content);
  if (!row) throw new DomainError('walletNotFound');
  const amountMinor = amountOf(content.amount, { coin: row.coin, decimals: row.decimals });
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
  const { row, digest } = await readContent(tx, session, content);
  invariant(row.payee, 'a readable transfer has a payee');
  const facts = {
    amount: content.amount,
    coin: row.coin,
    chain: row.chainName,
    payee: row.payeeLabel ?? '',
    address: row.payee.address,
  };
  return { digest, facts };
}
