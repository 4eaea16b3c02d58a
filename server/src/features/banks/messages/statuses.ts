import type { BatchStatus, GroupStatus, PaymentState, Status, StatusReason, TransactionStatus } from './model.ts';
import { accountOf, partyOf } from './parties.ts';
import { at, child, children, codeOf, countAt, dateTimeOf, neededText, statedOf, textAt, textsAt } from './values.ts';
import type { XmlElement } from './xml.ts';

/** ISO 20022's external code lists "PaymentTransactionStatus" and "PaymentGroupStatus". */
const states = new Map<string, PaymentState>([
  ['RCVD', 'received'],
  ['ACTC', 'accepted'],
  ['ACFC', 'accepted'],
  ['ACCP', 'accepted'],
  ['ACSP', 'accepted'],
  ['ACWC', 'accepted'],
  ['ACWP', 'accepted'],
  ['ACPD', 'accepted'],
  ['ACSC', 'settled'],
  ['ACCC', 'settled'],
  ['PDNG', 'pending'],
  ['PATC', 'pending'],
  ['PART', 'partly'],
  ['RJCT', 'rejected'],
  ['BLCK', 'rejected'],
  ['CANC', 'cancelled'],
]);

/** `OrgnlGrpInfAndSts`: what becomes of a whole message. @throws BankFileError */
export function groupStatusOf(element: XmlElement): GroupStatus {
  return {
    ...statusOf(element, 'GrpSts'),
    originalMessage: neededText(element, 'OrgnlMsgId'),
    originalName: neededText(element, 'OrgnlMsgNmId'),
    originalCreatedAt: dateTimeOf(child(element, 'OrgnlCreDtTm')),
    count: countAt(element, 'OrgnlNbOfTxs'),
    countsByStatus: countsOf(element),
  };
}

/** `OrgnlPmtInfAndSts` without its transactions. @throws BankFileError */
export function batchStatusOf(element: XmlElement): BatchStatus {
  return {
    ...statusOf(element, 'PmtInfSts'),
    paymentInformation: neededText(element, 'OrgnlPmtInfId'),
    count: countAt(element, 'OrgnlNbOfTxs'),
    countsByStatus: countsOf(element),
  };
}

/** One `TxInfAndSts`. @throws BankFileError */
export function transactionStatusOf(element: XmlElement, paymentInformation: string | null): TransactionStatus {
  const original = child(element, 'OrgnlTxRef');
  return {
    ...statusOf(element, 'TxSts'),
    paymentInformation,
    id: textAt(element, 'StsId'),
    instruction: textAt(element, 'OrgnlInstrId'),
    endToEnd: textAt(element, 'OrgnlEndToEndId'),
    uetr: textAt(element, 'OrgnlUETR')?.toLowerCase() ?? null,
    acceptedAt: dateTimeOf(child(element, 'AccptncDtTm')),
    accountServicerReference: textAt(element, 'AcctSvcrRef'),
    clearing: textAt(element, 'ClrSysRef'),
    amount: statedOf(at(original, 'Amt', 'InstdAmt') ?? at(original, 'Amt', 'EqvtAmt', 'Amt')),
    creditor: partyOf(at(original, 'Cdtr')),
    creditorAccount: accountOf(at(original, 'CdtrAcct')),
  };
}

function statusOf(element: XmlElement, name: string): Status {
  const status = textAt(element, name);
  return {
    state: status === null ? null : (states.get(status) ?? 'other'),
    status,
    reasons: children(element, 'StsRsnInf').map(reasonOf),
  };
}

function reasonOf(element: XmlElement): StatusReason {
  return {
    reason: codeOf(child(element, 'Rsn')),
    originator: partyOf(child(element, 'Orgtr')),
    texts: textsAt(element, 'AddtlInf'),
  };
}

function countsOf(element: XmlElement): { status: string; count: number }[] {
  return children(element, 'NbOfTxsPerSts').map((each) => ({
    status: neededText(each, 'DtldSts'),
    count: countAt(each, 'DtldNbOfTxs') ?? 0,
  }));
}
