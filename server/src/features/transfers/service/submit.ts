import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import type { Clock } from '../../../platform/clock.ts';
import { type Database, databaseError, type Tx, together } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { type Answered, once } from '../../../platform/idempotency.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Seal } from '../../../platform/seal.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { openTask, type Routing, routeTransfer } from '../../approvals/index.ts';
import { findFiles } from '../../files/index.ts';
import { amountOf, move, post, refusal } from '../../ledger/index.ts';
import { type AuthorisationClaims, checkSubmission, transferDigest } from '../domain.ts';
import { transferEvents } from '../events.ts';
import { insertTransfer, readSubmission, type SubmissionRow } from '../store/submission.ts';
import { judgeSubmission, usdCentsOf } from './judging.ts';

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
  const { companyId } = context.session;
  // The code is left out: a person who must ask for a new code after a lost answer still repeats the same transfer.
  const { code: _code, codeMethod: _method, ...request } = body;
  const key = { companyId, key: context.idempotencyKey, call: 'transferOut', request };
  return once(deps.database, key, (tx) => submitIn(tx, deps, context, body));
}

async function submitIn(
  tx: Tx,
  deps: SubmitDependencies,
  context: SignedInContext,
  body: Body<typeof transferOut>,
): Promise<Answer> {
  const { session } = context;
  const { row, amountMinor, digest } = await readContent(tx, session, body);
  const feeMinor = amountOf(body.fee, { coin: row.coin, decimals: row.decimals }, 'fee');
  checkSubmission(row, { amountMinor, feeMinor, attachments: body.attachmentIds.length });
  invariant(row.payee, 'a transfer that passed its checks has a payee');
  const valueUsdCents = usdCentsOf(row, amountMinor, deps.clock.now());

  // Before all that writes: a wrong code is remembered, and with it whatever was written before.
  const proof = await deps.verifyCode(tx, { session, method: body.codeMethod, code: body.code, digest });

  // Risk first, approvals second (decisions, "Approvals and risk"); what risk denies stays on record.
  const { coin, decimals, walletChainId: chainId, payee } = row;
  const judged = { id: body.id, chainId, coin, decimals, payeeAccount: payee.address, initiatorId: session.userId };
  await judgeSubmission(tx, { ...judged, quantityMinor: amountMinor, valueUsdCents }, context.locale);
  const taskId = newId();
  const routing = await routeTransfer(tx, { initiatorId: session.userId, valueUsdCents, taskId });
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

  // The decision is made; what follows is written in one go.
  const [createdAt] = await together([
    write(tx, {
      id: body.id,
      walletId: body.walletId,
      chainId: row.walletChainId,
      coin: row.coin,
      amountMinor,
      feeMinor,
      payeeId: body.payeeId,
      payeeName: row.payeeLabel ?? '',
      payeeAccount: row.payee.address,
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
  return { id: body.id, status: 'pending', stage, createdAt: createdAt.toISOString() };
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

async function write(tx: Tx, transfer: Parameters<typeof insertTransfer>[1]): Promise<Date> {
  try {
    return await insertTransfer(tx, transfer);
  } catch (error) {
    if (databaseError(error)?.constraint === 'transaction_pkey') throw new DomainError('idTaken');
    throw error;
  }
}

/** Reads what a transfer's content means now, and the digest that its code must be bound to. */
async function readContent(
  tx: Tx,
  session: Session,
  content: Pick<TransferContent, 'id' | 'walletId' | 'payeeId' | 'amount' | 'attachmentIds'>,
): Promise<{ row: SubmissionRow; amountMinor: bigint; digest: string }> {
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
