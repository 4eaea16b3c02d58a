import { stampAt } from './calendar.ts';
import { amountText, BANKS } from './catalogue.ts';
import type { FileContent, Payment, Reason, TransactionStatus } from './model.ts';
import { cut, document, e, type Xml } from './xml-write.ts';

/** Writes pain.002.001.10: what becomes of a file or of its payments. */
export function statusMessage(
  head: { id: string; at: number },
  { original, group, transactions }: Extract<FileContent, { kind: 'status' }>,
  paymentOf: (id: string) => Readonly<Payment> | undefined,
): string {
  const batches = Map.groupBy(transactions, (transaction) => transaction.paymentInformationId);
  return document('pain.002.001.10', [
    e('CstmrPmtStsRpt', [
      e('GrpHdr', [
        e('MsgId', head.id),
        e('CreDtTm', stampAt(head.at)),
        e('DbtrAgt', [e('FinInstnId', [e('BICFI', BANKS.harbour.bic)])]),
      ]),
      e('OrgnlGrpInfAndSts', [
        e('OrgnlMsgId', cut(original.messageId, 35)),
        e('OrgnlMsgNmId', original.name),
        e('OrgnlCreDtTm', original.createdAt),
        e('GrpSts', group?.status),
        reasonPart(group?.reason),
      ]),
      ...[...batches].map(([id, list]) =>
        e('OrgnlPmtInfAndSts', [e('OrgnlPmtInfId', id), ...list.map((one) => transactionPart(one, paymentOf))]),
      ),
    ]),
  ]);
}

function transactionPart(
  status: TransactionStatus,
  paymentOf: (id: string) => Readonly<Payment> | undefined,
): Xml | undefined {
  const payment = status.payment === undefined ? undefined : paymentOf(status.payment);
  const amount =
    payment && e('InstdAmt', amountText(BigInt(payment.amount), payment.currency), { Ccy: payment.currency });
  return e('TxInfAndSts', [
    e('OrgnlInstrId', status.instructionId),
    e('OrgnlEndToEndId', status.endToEndId),
    e('OrgnlUETR', status.uetr),
    e('TxSts', status.status),
    reasonPart(status.reason),
    e('AcctSvcrRef', status.payment),
    amount && e('OrgnlTxRef', [e('Amt', [amount])]),
  ]);
}

function reasonPart(reason: Reason | undefined): Xml | undefined {
  if (reason === undefined) return undefined;
  return e('StsRsnInf', [e('Rsn', [e('Cd', reason.code)]), e('AddtlInf', cut(reason.text, 105))]);
}
