import { isDate } from './calendar.ts';
import { BankRefusal } from './catalogue.ts';
import type { Party } from './model.ts';
import { child, children, neededText, readXml, textAt, type XmlNode } from './xml-read.ts';

/** Reads pain.001.001.09 (customer credit transfer initiation) as far as the bank uses it. */

export type OrderLine = {
  paymentInformationId: string;
  requestedDate: string;
  debtorAccount: string;
  instructionId?: string | undefined;
  endToEndId: string;
  uetr?: string | undefined;
  currency: string;
  /** A plain decimal text, as it was written. */
  amount: string;
  chargeBearer?: string | undefined;
  payee: Party;
  reference?: string | undefined;
  text?: string | undefined;
};

export type OrderFile = { messageId: string; createdAt: string; lines: OrderLine[] };

const NAMESPACE = 'urn:iso:std:iso:20022:tech:xsd:pain.001.001.09';
export const ORDER_NAME = 'pain.001.001.09';

/** Reads and checks a whole file. @throws BankRefusal FF01, AM10, AM18 (with `messageId` when it could be read) */
export function readOrders(text: string): OrderFile {
  const document = readXml(text);
  if (document.name !== 'Document' || document.namespace !== NAMESPACE)
    throw new BankRefusal('FF01', 'The file is no pain.001.001.09');
  const message = child(document, 'CstmrCdtTrfInitn');
  const header = child(message, 'GrpHdr');
  const messageId = neededText(header, 35, 'MsgId');
  try {
    const createdAt = neededText(header, 40, 'CreDtTm');
    if (Number.isNaN(Date.parse(createdAt))) throw new BankRefusal('FF01', 'GrpHdr/CreDtTm is no time');
    const batches = children(message, 'PmtInf');
    const lines = batches.flatMap(batchLines);
    if (lines.length === 0) throw new BankRefusal('FF01', 'The file has no payment');
    checkTotals(header, lines);
    return { messageId, createdAt, lines };
  } catch (error) {
    if (error instanceof BankRefusal) throw new OrderRefusal(error, messageId);
    throw error;
  }
}

/** A refusal of a file whose message id could be read. */
export class OrderRefusal extends BankRefusal {
  readonly messageId: string;

  constructor({ code, message }: BankRefusal, messageId: string) {
    super(code, message);
    this.messageId = messageId;
  }
}

/** Count and control sum of the header. @throws BankRefusal AM10, AM18 */
function checkTotals(header: XmlNode | undefined, lines: readonly OrderLine[]): void {
  if (neededText(header, 15, 'NbOfTxs') !== String(lines.length))
    throw new BankRefusal(
      'AM18',
      `The file has ${lines.length} payments, its header says ${textAt(header, 'NbOfTxs')}`,
    );
  const stated = textAt(header, 'CtrlSum');
  if (stated === undefined) return;
  const sum = lines.reduce((total, { amount }) => total + scaled(amount), 0n);
  if (!/^\d+(\.\d{1,17})?$/.test(stated) || scaled(stated) !== sum)
    throw new BankRefusal('AM10', `The control sum ${stated} is not that of the payments`);
}

/** Whole units of any currency at seventeen decimals, the most that the schema has. */
function scaled(amount: string): bigint {
  const [whole = '0', fraction = ''] = amount.split('.');
  return BigInt(whole + fraction.padEnd(17, '0').slice(0, 17));
}

function batchLines(batch: XmlNode): OrderLine[] {
  const paymentInformationId = neededText(batch, 35, 'PmtInfId');
  if (textAt(batch, 'PmtMtd') !== 'TRF') throw new BankRefusal('FF01', 'PmtInf/PmtMtd must be TRF');
  const requestedDate = textAt(batch, 'ReqdExctnDt', 'Dt') ?? textAt(batch, 'ReqdExctnDt', 'DtTm')?.slice(0, 10) ?? '';
  if (!isDate(requestedDate)) throw new BankRefusal('FF01', 'PmtInf/ReqdExctnDt is missing');
  const debtorAccount = accountAt(child(batch, 'DbtrAcct'));
  if (debtorAccount === undefined) throw new BankRefusal('FF01', 'PmtInf/DbtrAcct/Id is missing');
  if (child(batch, 'Dbtr') === undefined || child(batch, 'DbtrAgt') === undefined)
    throw new BankRefusal('FF01', 'PmtInf/Dbtr or PmtInf/DbtrAgt is missing');
  const shared = { paymentInformationId, requestedDate, debtorAccount };
  return children(batch, 'CdtTrfTxInf').map((line) => ({ ...shared, ...lineOf(line, batch) }));
}

function lineOf(
  line: XmlNode,
  batch: XmlNode,
): Omit<OrderLine, 'paymentInformationId' | 'requestedDate' | 'debtorAccount'> {
  const amount = child(line, 'Amt', 'InstdAmt');
  if (amount === undefined || !/^\d{1,18}(\.\d{1,5})?$/.test(amount.text))
    throw new BankRefusal('FF01', 'CdtTrfTxInf/Amt/InstdAmt is missing or no amount');
  const currency = amount.attributes['Ccy'] ?? '';
  if (!/^[A-Z]{3}$/.test(currency)) throw new BankRefusal('FF01', 'CdtTrfTxInf/Amt/InstdAmt has no currency');
  const uetr = textAt(line, 'PmtId', 'UETR');
  if (uetr !== undefined && !/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/.test(uetr))
    throw new BankRefusal('FF01', 'CdtTrfTxInf/PmtId/UETR is no UUID of version 4');
  return {
    instructionId: textAt(line, 'PmtId', 'InstrId'),
    endToEndId: neededText(line, 35, 'PmtId', 'EndToEndId'),
    uetr,
    currency,
    amount: amount.text,
    chargeBearer: textAt(line, 'ChrgBr') ?? textAt(batch, 'ChrgBr'),
    payee: payeeOf(line),
    reference: textAt(line, 'RmtInf', 'Strd', 'CdtrRefInf', 'Ref'),
    text: textAt(line, 'RmtInf', 'Ustrd'),
  };
}

function payeeOf(line: XmlNode): Party {
  const proxy = child(line, 'CdtrAcct', 'Prxy');
  const member = child(line, 'CdtrAgt', 'FinInstnId', 'ClrSysMmbId');
  return {
    name: textAt(line, 'Cdtr', 'Nm') ?? '',
    account: accountAt(child(line, 'CdtrAcct')),
    proxy: proxy && { type: textAt(proxy, 'Tp', 'Cd') ?? '', id: textAt(proxy, 'Id') ?? '' },
    bic: textAt(line, 'CdtrAgt', 'FinInstnId', 'BICFI'),
    clearing: member && { system: textAt(member, 'ClrSysId', 'Cd') ?? '', member: textAt(member, 'MmbId') ?? '' },
    town: textAt(line, 'Cdtr', 'PstlAdr', 'TwnNm'),
    country: textAt(line, 'Cdtr', 'PstlAdr', 'Ctry'),
  };
}

function accountAt(account: XmlNode | undefined): string | undefined {
  return textAt(account, 'Id', 'IBAN') ?? textAt(account, 'Id', 'Othr', 'Id');
}
