import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import { audit } from '../../../platform/audit.ts';
import { type Database, databaseError, type Tx, together } from '../../../platform/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { type Answered, once } from '../../../platform/idempotency.ts';
import { newId } from '../../../platform/ids.ts';
import { announce, live } from '../../../platform/outbox.ts';
import type { Seal } from '../../../platform/seal.ts';
import { actorOf, type Session, type SignedInContext } from '../../../platform/session.ts';
import { amountOf, move, post, refusal } from '../../ledger/index.ts';
import { type AuthorisationClaims, checkSubmission, transferDigest } from '../domain.ts';
import { transferEvents } from '../events.ts';
import { insertTransfer, readSubmission, type SubmissionRow } from '../store/submission.ts';

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
  const valueUsdCents = valueOf(row, amountMinor, deps.clock.now());

  // Risk first, approvals second (decisions, "Approvals and risk"); what risk denies stays on record.
  await judge(tx, context, { ...body, row, amountMinor, valueUsdCents });
  const taskId = newId();
  const routing = await routeTransfer(tx, { initiatorId: session.userId, valueUsdCents, taskId });
  const proof = await deps.verifyCode(tx, { session, method: body.codeMethod, code: body.code, digest });
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
  return { id: body.id, status: 'pending', stage, createdAt: createdAt.toISOString() };
}

/** What the amount is worth, in US cents. @throws DomainError rateStale */
function valueOf(row: SubmissionRow, amountMinor: bigint, now: Date): bigint {
  const { price, coin } = row;
  if (!price || isStale({ coin, ...price }, now)) throw new DomainError('rateStale', { coin });
  return usdValue(amountMinor, row.decimals, price.usd);
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
