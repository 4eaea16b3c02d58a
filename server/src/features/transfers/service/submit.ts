import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { TransferContent, transferOut } from '@causeway/contract/transfers.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import type { Session, SignedInContext } from '../../../platform/session.ts';
import type { ApprovalSubject } from '../../approvals/index.ts';
import { type ChainFamilies, familyOf } from '../../chains/index.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import { type OutgoingKind, type SubmitPorts, submitPayment, usdCentsOf } from '../../outgoing/index.ts';
import { checkSubmission, transferDigest } from '../domain.ts';
import { riskSubjectOf } from '../kind.ts';
import { readSubmission, type SubmissionRow } from '../store/submission.ts';

/** What the routes bind: of the entry point, and the transfer as a kind of payment and of approval. */
interface TransferPorts extends SubmitPorts {
  families: ChainFamilies;
  kind: OutgoingKind;
  subject: ApprovalSubject;
}

type TransferBody = Body<typeof transferOut>;

/**
 * Submits a transfer: checks the rules, consumes the code, holds amount and fee, and announces it to the worker, all in
 * one transaction. A repetition with the same key returns the first response.
 */
export const submitting: MoneyUseCase<typeof transferOut, TransferPorts, Content> = {
  // The code is left out: a person who must ask for a new code after a lost answer still repeats the same transfer.
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  read: (tx, { session }, body) => readContent(tx, session, body),
  work: submitIn,
};

async function submitIn(
  tx: Tx,
  context: SignedInContext & TransferPorts,
  body: TransferBody,
  { row, amountMinor, digest }: Content,
): Promise<OutputInput<typeof transferOut>> {
  // Before the code: a repeated submission under another key neither uses a code up nor counts as a wrong try.
  if (row.idTaken) throw new DomainError('idTaken');
  const { coin, decimals, walletChainId: chainId, payee } = row;
  const feeMinor = amountOf(body.fee, { asset: coin, decimals }, 'fee');
  checkSubmission(row, familyOf(context.families, row), {
    amountMinor,
    feeMinor,
    attachments: body.attachmentIds.length,
  });
  invariant(payee, 'a transfer that passed its checks has a payee');
  const { id, walletId, attachmentIds } = body;
  const initiatorId = context.session.userId;
  const payeeAccount = payee.address;
  const valueUsdCents = usdCentsOf(row, amountMinor, context.clock.now());
  const judged = { id, chainId, coin, decimals, quantityMinor: amountMinor, valueUsdCents, payeeAccount, initiatorId };
  const notes = body.notes ?? '';
  const name = row.payeeLabel ?? '';
  const content = {
    payeeName: name,
    payeeAccount,
    chainName: row.chainName,
    feeMinor: feeMinor.toString(),
    notes,
  };
  const stage = await submitPayment(
    tx,
    context,
    context.kind,
    { method: body.codeMethod, code: body.code },
    {
      id,
      walletId,
      chainId,
      coin,
      decimals,
      amountMinor,
      feeMinor,
      valueUsdCents,
      availableAccountId: row.availableAccountId,
      outboundAccountId: row.outboundAccountId,
      payee: { id: body.payeeId, name, account: payeeAccount },
      payer: { name: row.companyName, account: row.ownAddress },
      notes,
      attachmentIds,
      digest,
      risk: riskSubjectOf(context.families, judged),
      subject: context.subject,
      task: { content, search: [] },
    },
  );
  return { id, status: 'pending', stage, createdAt: row.at.toISOString() };
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
