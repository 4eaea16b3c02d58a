import type { Body, OutputInput } from '@causeway/contract/call.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import type { refundPaymentRequest } from '@causeway/contract/payment-requests-refund.ts';
import { invoiceNumberMaxLength } from '@causeway/contract/transactions-rules.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { CompaniesTx, Tx } from '../../../platform/database/database.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { MoneyUseCase } from '../../../platform/http/route.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { amountOf, refusal } from '../../ledger/index.ts';
import {
  openSubmissions,
  paymentParts,
  type SubmissionParts,
  type SubmitPorts,
  type SubmittedPayment,
  submitAll,
} from '../../outgoing/index.ts';
import { prepareTransfers, type TransferKinds, writePromises } from '../../transfers/index.ts';
import { netOf } from '../domain.ts';
import { insertRefund } from '../store/making.ts';
import { type Known, lockKnown } from './reading.ts';
import { keepJudged, writeLine } from './settle.ts';

export type RefundPorts = SubmitPorts & { transfers: TransferKinds };
type RefundContext = SignedInContext & RefundPorts;
type RefundBody = Body<typeof refundPaymentRequest>;

/**
 * Gives a payment back, or a part of it: a transfer to a payee of the company, which has the code, the risk checks, the approvals and the authorisation of
 * every other one. So the signer believes nothing new of a request.
 */
export const refunding: MoneyUseCase<typeof refundPaymentRequest, RefundPorts, undefined> = {
  request({ code: _code, codeMethod: _method, ...request }) {
    return request;
  },
  makes: ({ id }) => id,
  work: refund,
};

async function refund(
  tx: Tx,
  context: RefundContext,
  body: RefundBody,
): Promise<OutputInput<typeof refundPaymentRequest>> {
  const { id, requestId, paymentId, payeeId, fee, feeLevel, codeMethod: method, code } = body;
  const proof = { method, code };
  const opened = await openSubmissions(tx, [{ context, proof, kind: context.transfers.kind }]);
  const known = await lockKnown(tx, requestId, context.clock.now());
  if (!known) throw new DomainError('paymentRequestNotFound');
  const payment = known.payments.find((each) => each.id === paymentId);
  if (payment?.state !== 'credited') throw new DomainError('paymentRequestPaymentNotFound');
  const { coin, decimals, walletId } = payment;
  const amountMinor = amountOf(body.amount, { asset: coin, decimals });
  const most = netOf(payment);
  if (amountMinor > most) {
    throw refusal('paymentRequestRefundTooHigh', { most: sayAmount(most, decimals), coin }, 'amount');
  }
  const { reference } = known.row;
  const draft = { id, walletId, payeeId, amount: body.amount, fee };
  const [prepared] = await prepareTransfers(
    tx,
    { session: context.session, clock: context.clock, ...context.transfers },
    [
      {
        ...draft,
        ...(feeLevel === undefined ? {} : { feeLevel }),
        ...(reference === '' || reference.length > invoiceNumberMaxLength ? {} : { invoiceNumber: reference }),
      },
    ],
  );
  invariant(prepared, 'the payment was prepared');
  if ('refused' in prepared) throw prepared.refused;
  const [outcome] = await submitAll(
    tx,
    opened,
    [{ ...prepared.answer, context, proof }],
    refundParts(tx, { requestId, paymentId, amountMinor }),
  );
  invariant(outcome, 'the payment was decided on');
  if ('refused' in outcome) throw outcome.refused;
  tx.leave(writePromises(tx, [{ ...prepared.answer, companyId: tx.companyId }]));
  await noteRefund(tx, context, known, { id, amountMinor, coin, decimals });
  return { id, requestId, stage: outcome.answer };
}

/** Written where the transfer is accepted: a wrong code and a denial by risk are kept, and must refund nothing. */
function refundParts(
  tx: Tx,
  refunded: { requestId: string; paymentId: string; amountMinor: bigint },
): SubmissionParts<SubmittedPayment> {
  return {
    write: (_: CompaniesTx, accepted) => [
      ...paymentParts.write(tx, accepted),
      ...accepted.map(({ payment }) => insertRefund(tx, { transactionId: payment.id, ...refunded })),
    ],
    events: paymentParts.events,
  };
}

/** It counts from its submission on, and no longer once it failed. */
async function noteRefund(
  tx: Tx,
  context: RefundContext,
  { row }: Known,
  { id, amountMinor, coin, decimals }: { id: string; amountMinor: bigint; coin: string; decimals: number },
): Promise<void> {
  const now = context.clock.now();
  const after = await lockKnown(tx, row.id, now);
  invariant(after, 'the request is locked');
  const amount = { minor: amountMinor, asset: coin };
  await writeLine(tx, after, now, {
    step: 'refund_submitted',
    by: context.session.userName,
    amount,
    transactionId: id,
  });
  await keepJudged(tx, after, now);
  await audit(tx, {
    actor: actorOf(context),
    action: 'collections.refund',
    subjectKind: 'paymentRequest',
    subjectId: row.id,
    detail: { name: row.title, transactionId: id, amount: sayAmount(amountMinor, decimals), coin },
  });
}
