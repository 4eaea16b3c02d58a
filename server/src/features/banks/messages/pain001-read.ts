import { BankFileError } from './problem.ts';
import { at, child, children, countAt, needed, textAt, textsAt } from './values.ts';
import { readXml, type XmlElement, type XmlLimits, type XmlVisitor, xmlLimits } from './xml.ts';

/** A payment that a customer asks for, as a customer credit transfer initiation (pain.001) says it. Texts as they were written. */
export interface InitiatedPayment {
  endToEndId: string | null;
  /** A plain decimal text in whole units. */
  amount: string;
  currency: string;
  /** Of the account that pays: IBAN or number. */
  payerAccount: string | null;
  name: string | null;
  /** IBAN or number. */
  account: string | null;
  bic: string | null;
  bankCode: string | null;
  /** Of the payee's address, ISO 3166-1. */
  country: string | null;
  addressLine: string | null;
  town: string | null;
  postcode: string | null;
  chargeBearer: string | null;
  purpose: string | null;
  remittance: string | null;
  /** On which it is to be made (ISO 8601); null where the message names no day. */
  executionDay: string | null;
}

export interface InitiationSums {
  /** What the message's header says; null where it says none. */
  count: number | null;
  controlSum: string | null;
}

/** A file that is another message, or none: `details.value` is what it is, as it can be shown. */
export class OtherMessageError extends BankFileError {
  constructor(value: string) {
    super('message', { value });
    this.name = 'OtherMessageError';
  }
}

const oldest = 3;
const newest = 9;
/** What every message of ISO 20022 is called: camt.053.001.08. */
const messageName = /\b[a-z]{4}\.\d{3}\.\d{3}\.\d{2}\b/;
const nameInNamespace = /\bpain\.001\.001\.(\d{2})(?=$|\.ch\.\d{2}\.xsd$)/;

/**
 * Reads a pain.001 message (versions 3 to 9) payment by payment while it arrives. Each `PmtInf` gives the account and what else holds for all
 * of its payments, and comes before them. Payments by cheque, and amounts that are an equivalent in another currency, are refused.
 * @throws BankFileError, OtherMessageError
 */
export async function* readInitiation(
  bytes: AsyncIterable<Uint8Array>,
  limits: XmlLimits = xmlLimits,
): AsyncGenerator<{ payment: InitiatedPayment } | { sums: InitiationSums }> {
  const reader = new InitiationReader();
  for await (const _ of readXml(bytes, reader, limits)) yield* reader.take();
  if (reader.isWhole) return;
  if (reader.root !== 'Document') throw new OtherMessageError(`<${reader.root}>`);
  throw new BankFileError('missing', { path: 'Document/CstmrCdtTrfInitn/GrpHdr' });
}

type Part = { payment: InitiatedPayment } | { sums: InitiationSums };

class InitiationReader implements XmlVisitor {
  root = '';
  isWhole = false;
  #parts: Part[] = [];
  #namespace: string | null = null;
  #hasHeader = false;
  /** What holds for all payments of the open `PmtInf`. */
  #common: Common = nothingCommon;

  take(): Part[] {
    const parts = this.#parts;
    this.#parts = [];
    return parts;
  }

  open(element: XmlElement): 'enter' | 'keep' | 'skip' {
    const { name, parent } = element;
    if (parent === null) this.root = name;
    if (this.#namespace === null) {
      if (name !== 'Document') return parent === null ? 'enter' : 'skip';
      this.#namespace = namespaceOf(element);
      return 'enter';
    }
    if (element.namespace !== this.#namespace) return 'skip';
    if (parent?.name === 'Document') {
      if (name !== 'CstmrCdtTrfInitn') throw new BankFileError('missing', { path: `${parent.path}/CstmrCdtTrfInitn` });
      return 'enter';
    }
    if (parent?.name === 'CstmrCdtTrfInitn') return this.#openPart(element);
    if (parent?.name !== 'PmtInf') return 'skip';
    return ['PmtMtd', 'ReqdExctnDt', 'DbtrAcct', 'ChrgBr', 'CdtTrfTxInf'].includes(name) ? 'keep' : 'skip';
  }

  #openPart(element: XmlElement): 'enter' | 'keep' | 'skip' {
    if (element.name === 'GrpHdr') return 'keep';
    if (element.name !== 'PmtInf') return 'skip';
    if (!this.#hasHeader) throw new BankFileError('missing', { path: `${element.parent?.path}/GrpHdr` });
    this.#common = nothingCommon;
    return 'enter';
  }

  inside(): void {}

  kept(element: XmlElement): void {
    switch (element.name) {
      case 'GrpHdr':
        if (this.#hasHeader) throw new BankFileError('twice', { path: element.path });
        this.#hasHeader = true;
        this.#parts.push({ sums: { count: countAt(element, 'NbOfTxs'), controlSum: textAt(element, 'CtrlSum') } });
        break;
      case 'PmtMtd':
        if (element.text !== 'TRF' && element.text !== 'TRA') {
          throw new BankFileError('paymentMethod', { path: element.path, value: element.text });
        }
        break;
      case 'ReqdExctnDt':
        this.#common = { ...this.#common, executionDay: dayIn(element) };
        break;
      case 'DbtrAcct':
        this.#common = { ...this.#common, payerAccount: accountOf(element) };
        break;
      case 'ChrgBr':
        this.#common = { ...this.#common, chargeBearer: element.text };
        break;
      case 'CdtTrfTxInf':
        this.#parts.push({ payment: paymentOf(element, this.#common) });
        break;
    }
  }

  left(element: XmlElement): void {
    if (element.name === 'CstmrCdtTrfInitn' && this.#hasHeader) this.isWhole = true;
  }
}

interface Common {
  payerAccount: string | null;
  chargeBearer: string | null;
  executionDay: string | null;
}

const nothingCommon: Common = { payerAccount: null, chargeBearer: null, executionDay: null };

/** Until version 7 a date, from 8 on a date or a moment, of which the day as it is written counts. */
function dayIn(element: XmlElement): string | null {
  const text = textAt(element, 'Dt') ?? textAt(element, 'DtTm') ?? element.text;
  const day = text.trim().slice(0, 10);
  const moment = new Date(`${day}T00:00:00Z`);
  const isDay = !Number.isNaN(moment.getTime()) && moment.toISOString().startsWith(`${day}T`);
  return isDay && day >= '1900' ? day : null;
}

function namespaceOf({ namespace }: XmlElement): string {
  const version = nameInNamespace.exec(namespace)?.[1];
  if (version === undefined)
    throw new OtherMessageError(messageName.exec(namespace)?.[0] ?? `<Document xmlns="${namespace}">`);
  if (Number(version) < oldest || Number(version) > newest) {
    throw new BankFileError('version', {
      value: `pain.001.001.${version}`,
      oldest: `pain.001.001.0${oldest}`,
      newest: `pain.001.001.0${newest}`,
    });
  }
  return namespace;
}

function paymentOf(element: XmlElement, common: Common): InitiatedPayment {
  const amount = needed(needed(element, 'Amt'), 'InstdAmt');
  const currency = amount.attributes['Ccy'];
  if (currency === undefined) throw new BankFileError('missing', { path: `${amount.path}/@Ccy` });
  const creditor = child(element, 'Cdtr');
  const address = at(creditor, 'PstlAdr');
  const bank = at(element, 'CdtrAgt', 'FinInstnId');
  const street = [textAt(address, 'StrtNm'), textAt(address, 'BldgNb')].filter((part) => part !== null).join(' ');
  return {
    endToEndId: textAt(element, 'PmtId', 'EndToEndId'),
    amount: amount.text,
    currency,
    payerAccount: common.payerAccount,
    name: textAt(creditor, 'Nm'),
    account: accountOf(child(element, 'CdtrAcct')),
    bic: textAt(bank, 'BICFI') ?? textAt(bank, 'BIC'),
    bankCode: textAt(bank, 'ClrSysMmbId', 'MmbId'),
    country: textAt(address, 'Ctry'),
    addressLine: street !== '' ? street : (textsAt(address, 'AdrLine')[0] ?? null),
    town: textAt(address, 'TwnNm'),
    postcode: textAt(address, 'PstCd'),
    chargeBearer: textAt(element, 'ChrgBr') ?? common.chargeBearer,
    purpose: textAt(element, 'Purp', 'Cd'),
    remittance: remittanceOf(child(element, 'RmtInf')),
    executionDay: common.executionDay,
  };
}

function accountOf(element: XmlElement | null): string | null {
  return textAt(element, 'Id', 'IBAN') ?? textAt(element, 'Id', 'Othr', 'Id');
}

/** The payee's own reference where there is one; else the text. */
function remittanceOf(element: XmlElement | null): string | null {
  if (element === null) return null;
  const references = children(element, 'Strd').flatMap((each) => textAt(each, 'CdtrRefInf', 'Ref') ?? []);
  return references[0] ?? (textsAt(element, 'Ustrd').join(' ') || null);
}
