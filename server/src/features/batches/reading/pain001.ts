import { maxBatchRows, type Written } from '@causeway/contract/batches-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import {
  BankFileError,
  bankFileSentence,
  type InitiatedPayment,
  OtherMessageError,
  readInitiation,
} from '../../banks/index.ts';
import { BatchFileError } from './problem.ts';
import { cleaned } from './written.ts';

/** The elements of a message of 5,000 payments are about 200,000; a payment has a dozen levels. */
const limits = { bytes: 12_000_000, elements: 1_000_000, depth: 30, attributes: 20, text: 4_000 };

/** What a message asks for: its payments, and the first and the last day on which it wants them made. */
export interface Initiation {
  rows: Written[];
  asked: { from: string; to: string } | null;
}

/**
 * Reads a customer credit transfer initiation (ISO 20022 pain.001): each payment is a row. Its header's number of transactions and
 * control sum have to agree with what it holds: a file that was cut or changed is refused.
 * @throws BatchFileError count, controlSum, message, otherMessage, noRows, tooManyRows
 */
export async function readPain001(content: Buffer, locale: Locale): Promise<Initiation> {
  const rows: Written[] = [];
  const days: string[] = [];
  let said: { count: number | null; controlSum: string | null } = { count: null, controlSum: null };
  let sum = 0n;
  try {
    for await (const part of readInitiation(piecesOf(content), limits)) {
      if ('sums' in part) {
        said = part.sums;
        continue;
      }
      rows.push(rowOf(part.payment));
      if (part.payment.executionDay !== null) days.push(part.payment.executionDay);
      sum += scaled(part.payment.amount);
      if (rows.length > maxBatchRows) throw new BatchFileError('tooManyRows', { most: maxBatchRows });
    }
  } catch (error) {
    if (error instanceof OtherMessageError) throw new BatchFileError('otherMessage', error.details);
    if (error instanceof BankFileError)
      throw new BatchFileError('message', { reason: bankFileSentence(error, locale) });
    throw error;
  }
  if (rows.length === 0) throw new BatchFileError('noRows');
  if (said.count === null || said.count !== rows.length) {
    throw new BatchFileError('count', { said: said.count ?? '–', found: rows.length });
  }
  if (said.controlSum !== null && scaled(said.controlSum) !== sum) {
    throw new BatchFileError('controlSum', { said: said.controlSum, found: unscaled(sum) });
  }
  days.sort();
  const [from, to] = [days[0], days.at(-1)];
  return { rows, asked: from === undefined || to === undefined ? null : { from, to } };
}

const pieceBytes = 64 * 1024;

async function* piecesOf(content: Buffer): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < content.length; from += pieceBytes) yield content.subarray(from, from + pieceBytes);
}

const bearers: Readonly<Record<string, string>> = { SHAR: 'shared', SLEV: 'shared', DEBT: 'payer', CRED: 'payee' };

function rowOf(payment: InitiatedPayment): Written {
  const { account, currency, chargeBearer, endToEndId } = payment;
  return cleaned({
    account: account ?? '',
    asset: currency,
    place: payment.payerAccount ?? '',
    amount: payment.amount,
    remittance: payment.remittance ?? '',
    // What the sender files it under; the standard has a word for none.
    invoiceNumber: endToEndId === null || endToEndId === 'NOTPROVIDED' ? '' : endToEndId,
    purpose: payment.purpose ?? '',
    charges: chargeBearer === null ? '' : (bearers[chargeBearer] ?? chargeBearer),
    name: payment.name ?? '',
    country: payment.country ?? '',
    bic: payment.bic ?? '',
    bankCode: payment.bankCode ?? '',
    addressLine1: payment.addressLine ?? '',
    town: payment.town ?? '',
    postcode: payment.postcode ?? '',
  });
}

const decimal = /^(\d{1,18})(?:\.(\d{0,5}))?$/;

/** In hundred-thousandths, the finest that an amount of ISO 20022 has. @throws BatchFileError message */
function scaled(text: string): bigint {
  const [match, whole = '', fraction = ''] = decimal.exec(text) ?? [];
  if (match === undefined) throw new BatchFileError('message', { reason: text });
  return BigInt(whole + fraction.padEnd(5, '0'));
}

function unscaled(sum: bigint): string {
  const text = sum.toString().padStart(6, '0');
  return `${text.slice(0, -5)}.${text.slice(-5)}`.replace(/\.?0+$/, '');
}
