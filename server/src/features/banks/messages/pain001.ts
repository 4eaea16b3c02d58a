import { minorUnitsOf } from '@causeway/contract/iso-4217.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Money } from './values.ts';

/**
 * Writes pain.001.001.09 (customer credit transfer initiation): one message, one batch, many payments. Texts are written as they are:
 * folding (`folding.ts`) and lengths are decided where a person can still see them, and checked here once more.
 */

export interface PostalAddress {
  town: string;
  /** ISO 3166-1. */
  country: string;
  postcode?: string | undefined;
  region?: string | undefined;
  /** At most two, of 70 characters, beside town and country (the hybrid form). */
  lines: readonly string[];
}

export interface PaymentParty {
  name: string;
  address: PostalAddress | null;
}

export interface PaymentAccount {
  iban?: string | undefined;
  number?: string | undefined;
  /** A phone number, an email address or an FPS identifier in place of the number. */
  proxy?: { type: 'TELE' | 'EMAL' | 'CUST'; id: string } | undefined;
}

export interface PaymentBank {
  bic?: string | undefined;
  name?: string | undefined;
  clearing?: { system: string; member: string } | undefined;
}

/** Who pays the charges: DEBT the payer, CRED the payee, SHAR each its own, SLEV as the scheme has it. */
export type ChargeBearer = 'DEBT' | 'CRED' | 'SHAR' | 'SLEV';

export interface PaymentInstruction {
  instructionId: string;
  endToEndId: string;
  /** UUID v4. */
  uetr: string;
  amount: Money;
  chargeBearer: ChargeBearer;
  payee: PaymentParty;
  account: PaymentAccount;
  bank: PaymentBank;
  /** ISO 20022's external list "Purpose". */
  purpose: string | null;
  remittance: { text: string } | { reference: string } | null;
}

export interface PaymentBatch {
  messageId: string;
  /** With its offset. */
  createdAt: Date;
  batchId: string;
  /** `2026-11-23` */
  executionDate: string;
  initiator: string;
  payer: PaymentParty;
  account: PaymentAccount & { currency: string };
  bank: PaymentBank;
  /** SEPA, URGP, NURG … of the external list "ServiceLevel". */
  serviceLevel: string | null;
  /** Of all payments; the header says both before the first. */
  count: number;
  /** Sum of all amounts in whole units: the same figure whatever their currencies. */
  controlSum: string;
}

/** The most decimals that a currency has: amounts of all currencies are added up at this scale. */
const sumDecimals = 4;

function scaled({ currency, minor }: Money): bigint {
  return minor * 10n ** BigInt(sumDecimals - decimalsOf(currency));
}

function sumText(sum: bigint): string {
  return formatAmount(sum, sumDecimals).replace(/\.?0+$/, '');
}

/** The figure for the header over amounts of one or more currencies, in whole units, exactly. */
export function controlSumOf(amounts: Iterable<Money>): string {
  let sum = 0n;
  for (const amount of amounts) sum += scaled(amount);
  return sumText(sum);
}

/** The message in pieces, payment by payment, so that memory does not grow with it. Asserts that count and lengths hold. */
export async function* writePain001(
  batch: PaymentBatch,
  payments: AsyncIterable<PaymentInstruction> | Iterable<PaymentInstruction>,
): AsyncGenerator<string> {
  yield headOf(batch);
  let written = 0;
  let sum = 0n;
  for await (const payment of payments) {
    written += 1;
    sum += scaled(payment.amount);
    yield paymentOf(payment);
  }
  invariant(written === batch.count, `a batch of ${batch.count} payments has ${written}`);
  invariant(sumText(sum) === batch.controlSum, 'the control sum is that of the payments');
  yield '</PmtInf></CstmrCdtTrfInitn></Document>\n';
}

function headOf(batch: PaymentBatch): string {
  const { count, controlSum, serviceLevel } = batch;
  const totals = element('NbOfTxs', String(count)) + element('CtrlSum', controlSum);
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n<Document xmlns="urn:iso:std:iso:20022:tech:xsd:pain.001.001.09"><CstmrCdtTrfInitn><GrpHdr>',
    text('MsgId', batch.messageId, 35),
    element('CreDtTm', batch.createdAt.toISOString()),
    totals,
    inside('InitgPty', text('Nm', batch.initiator, 140)),
    '</GrpHdr><PmtInf>',
    text('PmtInfId', batch.batchId, 35),
    element('PmtMtd', 'TRF'),
    totals,
    serviceLevel === null ? '' : inside('PmtTpInf', inside('SvcLvl', text('Cd', serviceLevel, 4))),
    inside('ReqdExctnDt', element('Dt', batch.executionDate)),
    inside('Dbtr', partyOf(batch.payer)),
    inside('DbtrAcct', accountOf(batch.account) + element('Ccy', batch.account.currency)),
    inside('DbtrAgt', bankOf(batch.bank)),
    '\n',
  ].join('');
}

function paymentOf(payment: PaymentInstruction): string {
  const { amount, bank, purpose, remittance } = payment;
  const ids =
    text('InstrId', payment.instructionId, 35) +
    text('EndToEndId', payment.endToEndId, 35) +
    element('UETR', payment.uetr);
  const whole = formatAmount(amount.minor, decimalsOf(amount.currency));
  const isBankKnown = bank.bic !== undefined || bank.clearing !== undefined;
  return `${inside(
    'CdtTrfTxInf',
    [
      inside('PmtId', ids),
      inside('Amt', `<InstdAmt Ccy="${escaped(amount.currency)}">${whole}</InstdAmt>`),
      element('ChrgBr', payment.chargeBearer),
      isBankKnown ? inside('CdtrAgt', bankOf(bank)) : '',
      inside('Cdtr', partyOf(payment.payee)),
      inside('CdtrAcct', accountOf(payment.account)),
      purpose === null ? '' : inside('Purp', text('Cd', purpose, 4)),
      remittance === null ? '' : inside('RmtInf', remittanceOf(remittance)),
    ].join(''),
  )}\n`;
}

function partyOf({ name, address }: PaymentParty): string {
  return text('Nm', name, 140) + (address === null ? '' : inside('PstlAdr', addressOf(address)));
}

function addressOf({ town, country, postcode, region, lines }: PostalAddress): string {
  invariant(lines.length <= 2, 'a hybrid address has at most two lines');
  return [
    postcode === undefined ? '' : text('PstCd', postcode, 16),
    text('TwnNm', town, 35),
    region === undefined ? '' : text('CtrySubDvsn', region, 35),
    text('Ctry', country, 2),
    ...lines.map((line) => text('AdrLine', line, 70)),
  ].join('');
}

function accountOf({ iban, number, proxy }: PaymentAccount): string {
  if (proxy) {
    // The schema wants a number beside the proxy: the rules of FPS have the proxy there.
    return (
      inside('Id', inside('Othr', text('Id', proxy.id, 34))) +
      inside('Prxy', inside('Tp', element('Cd', proxy.type)) + text('Id', proxy.id, 2048))
    );
  }
  if (iban !== undefined) return inside('Id', text('IBAN', iban, 34));
  invariant(number !== undefined, 'an account has an IBAN, a number or a proxy');
  return inside('Id', inside('Othr', text('Id', number, 34)));
}

function bankOf({ bic, name, clearing }: PaymentBank): string {
  const member = clearing && inside('ClrSysId', text('Cd', clearing.system, 5)) + text('MmbId', clearing.member, 35);
  const parts = [
    bic === undefined ? '' : text('BICFI', bic, 11),
    member === undefined ? '' : inside('ClrSysMmbId', member),
    name === undefined ? '' : text('Nm', name, 140),
  ];
  return inside('FinInstnId', parts.join('') || inside('Othr', element('Id', 'NOTPROVIDED')));
}

function remittanceOf(remittance: NonNullable<PaymentInstruction['remittance']>): string {
  if ('text' in remittance) return text('Ustrd', remittance.text, 140);
  const type = inside('Tp', inside('CdOrPrtry', element('Cd', 'SCOR')) + element('Issr', 'ISO'));
  return inside('Strd', inside('CdtrRefInf', type + text('Ref', remittance.reference, 25)));
}

function decimalsOf(currency: string): number {
  const decimals = minorUnitsOf(currency);
  invariant(decimals !== null, `${currency} has minor units`);
  return decimals;
}

function inside(name: string, content: string): string {
  return `<${name}>${content}</${name}>`;
}

function element(name: string, value: string): string {
  return inside(name, escaped(value));
}

/** A text that is neither empty nor too long: banks refuse a whole file for one. */
function text(name: string, value: string, most: number): string {
  const length = [...value].length;
  invariant(value.trim() !== '' && length <= most, `${name} has 1 to ${most} characters, not ${length}`);
  return element(name, value);
}

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

function escaped(value: string): string {
  invariant(!/[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/u.test(value), 'a text has characters that XML has');
  return value.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? character);
}
