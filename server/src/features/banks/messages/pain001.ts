import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../../platform/domain-error.ts';
import type { Money } from './values.ts';
import { amountElement, decimalsOf, element, inside, text } from './write.ts';

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
  /** For whom the payer pays; null: for itself. */
  onBehalfOf: PaymentParty | null;
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
    // Each payment is to be booked by itself, so that each is found in the statement.
    element('BtchBookg', 'false'),
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
  const isBankKnown = bank.bic !== undefined || bank.clearing !== undefined;
  return `${inside(
    'CdtTrfTxInf',
    [
      inside('PmtId', ids),
      inside('Amt', amountElement('InstdAmt', amount.currency, amount.minor)),
      element('ChrgBr', payment.chargeBearer),
      payment.onBehalfOf === null ? '' : inside('UltmtDbtr', partyOf(payment.onBehalfOf)),
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

/** Asserts that a payment can be written: in an order with others it would hold them up. */
export function assertWritable(payment: PaymentInstruction): void {
  paymentOf(payment);
}

function accountOf({ iban, number, proxy }: PaymentAccount): string {
  if (proxy) {
    // The schema wants a number beside the proxy: the rules of FPS have the proxy there, where it is not too long for one.
    const number = proxy.id.length <= 34 ? proxy.id : 'NOTPROVIDED';
    return (
      inside('Id', inside('Othr', text('Id', number, 34))) +
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
