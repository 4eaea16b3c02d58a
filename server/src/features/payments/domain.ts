import { hash } from 'node:crypto';
import { type BankWay, isAddressRefused } from '@causeway/contract/bank-rules.ts';
import { sayAmount } from '@causeway/contract/money.ts';
import {
  type ChargeBearer,
  chargeBearersOf,
  isCreditorReference,
  isPurposeNeeded,
  type PayoutForm,
} from '@causeway/contract/payments-rules.ts';
import { DomainError, invariant } from '../../platform/domain-error.ts';
import { foldLatin } from '../banks/index.ts';
import { refusal } from '../ledger/index.ts';
import type { PaymentContent } from '../outgoing/index.ts';

/** The rules of a payment out of a bank: pure. */

/** What code, approvals and seal of a payment are bound to: SHA-256, hex, of its content in one fixed form; attachments count whatever their order. */
export function payoutDigest(content: PaymentContent): string {
  const { companyId, id, walletId, payeeId, payeeAccount, coin, amountMinor, notes, attachmentIds, terms } = content;
  invariant(terms !== null, 'a payment out of a bank has terms');
  const { boughtWith } = content;
  const parts = [
    // Of one out of coins: with what it is bought, and for how much at most.
    ...(boughtWith
      ? ['causeway.cryptoPayout.1', boughtWith.walletId, boughtWith.boundMinor.toString()]
      : ['causeway.payout.1']),
    companyId,
    id,
    walletId,
    payeeId,
    payeeAccount,
    coin,
    amountMinor.toString(),
    terms,
    notes,
    ...[...attachmentIds].sort(),
  ];
  return hash('sha256', JSON.stringify(parts));
}

/** A text as the payee's bank will read it. */
export interface Printed {
  text: string;
  lost: string[];
}

/** As the way carries it: folded to Latin letters, or as it is. */
export function printedOf({ letters }: Pick<BankWay, 'letters'>, text: string): Printed {
  if (letters === 'latin') return foldLatin(text);
  return { text: text.trim().replaceAll(/\s+/g, ' '), lost: [] };
}

/** What a payment's rules look at; amounts in minor units. */
export interface PayoutFacts {
  currency: string;
  decimals: number;
  minimumMinor: bigint;
  feeMinor: bigint;
  /** The most that the operator lets the company send at once; null: no limit. The limit on a day is looked at with risk. */
  transferLimitMinor: bigint | null;
  availableMinor: bigint;
  companyFrozen: boolean;
  walletFrozen: boolean;
  /** The bank and the currency there are on. */
  walletUsable: boolean;
  payoutsPaused: boolean;
  /** The bank takes orders over an API. */
  isByApi: boolean;
  payee: PayeeFacts | null;
  /** Null: no way to the account in its currency is open any more. */
  way: BankWay | null;
  /** Today where the bank is, ISO 8601. */
  today: string;
}

export interface PayeeFacts {
  status: string;
  versionId: string;
  currency: string;
  country: string;
  name: string;
  town: string;
  addressCountry: string;
}

export interface PayoutRequest {
  form: PayoutForm;
  versionId: string;
  amountMinor: bigint;
  feeMinor: bigint;
  charges: ChargeBearer;
  purpose: string | null;
  remittance: string;
  /** How many files were asked for, the media types of those found. */
  attachments: number;
  attachmentTypes: readonly string[];
}

/**
 * The rules of every payment out of a bank, in the order of a transfer's: throws the first that fails. Strictly more than the minimum, amount and
 * fee within what is available (decisions, "Amount rules").
 */
export function checkPayout(facts: PayoutFacts, request: PayoutRequest): void {
  const { payee, currency } = facts;
  if (facts.companyFrozen) throw new DomainError('companyFrozen');
  if (!payee || payee.status === 'deleted') throw refusal('payeeNotFound', {}, 'payeeId');
  if (payee.status === 'waiting') throw refusal('payeeWaiting', {}, 'payeeId');
  if (payee.versionId !== request.versionId) throw refusal('payeeAccountChanged', {}, 'payeeId');
  if (payee.currency !== currency) throw refusal('payeeOtherCurrency', { currency: payee.currency }, 'payeeId');
  if (payee.status !== 'usable') throw refusal('payeeUnusable', {}, 'payeeId');
  const way = facts.way;
  if (!way) throw refusal('payoutWayClosed', {}, 'payeeId');
  const address = { town: payee.town, country: payee.addressCountry };
  if (isAddressRefused(way, address, facts.today)) throw refusal('payeeAddressLacking', {}, 'payeeId');
  const { lost } = printedOf(way, payee.name);
  if (lost.length > 0) throw refusal('payeeNameLatin', { characters: lost.join(' ') }, 'payeeId');
  if (facts.walletFrozen) throw refusal('walletFrozen', {}, 'walletId');
  if (!facts.walletUsable) throw refusal('currencyNotAtBank', {}, 'walletId');
  if (facts.payoutsPaused) throw refusal('payoutsPaused', { currency }, 'walletId');
  checkWords(way, facts, payee.country, request);
  checkFiles(request);
  checkAmounts(facts, request);
}

/** Charges, purpose, and what the payee reads. */
function checkWords(
  way: BankWay,
  bank: Pick<PayoutFacts, 'isByApi'>,
  country: string,
  { charges, purpose, remittance }: PayoutRequest,
): void {
  if (!bearersFor(way, bank).includes(charges)) throw refusal('chargesNotOffered', {}, 'charges');
  if (isPurposeNeeded(country) && purpose === null && !way.fields.some(({ name }) => name === 'purpose')) {
    throw refusal('payoutPurposeNeeded', {}, 'purpose');
  }
  if (remittance === '' || isCreditorReference(remittance)) return;
  const printed = printedOf(way, remittance);
  if (printed.lost.length > 0) {
    throw refusal('remittanceCharacters', { characters: printed.lost.join(' ') }, 'remittance');
  }
  const length = [...printed.text].length;
  if (length > way.remittance) throw refusal('remittanceTooLong', { most: way.remittance, length }, 'remittance');
}

/** Vouchers are PDF files (decisions, "Payments"). */
function checkFiles({ form, attachments, attachmentTypes }: PayoutRequest): void {
  if (attachmentTypes.length !== attachments) throw new DomainError('notFound');
  if (form === 'payment' && attachmentTypes.some((type) => type !== 'application/pdf')) {
    throw refusal('voucherNotPdf', {}, 'attachmentIds');
  }
}

function checkAmounts(facts: PayoutFacts, { amountMinor, feeMinor }: PayoutRequest): void {
  const { currency: coin, minimumMinor, transferLimitMinor, availableMinor } = facts;
  const say = (minor: bigint) => sayAmount(minor, facts.decimals);
  if (amountMinor <= minimumMinor) throw refusal('amountBelowMinimum', { minimum: say(minimumMinor), coin }, 'amount');
  if (transferLimitMinor !== null && amountMinor > transferLimitMinor) {
    throw refusal('amountAboveTransferLimit', { limit: say(transferLimitMinor), coin }, 'amount');
  }
  if (feeMinor !== facts.feeMinor) throw refusal('feeChanged', { fee: say(facts.feeMinor), coin }, 'fee');
  if (amountMinor + feeMinor > availableMinor) {
    const most = availableMinor - feeMinor;
    throw refusal('amountAboveBalanceMinusFee', { most: say(most > 0n ? most : 0n), coin }, 'amount');
  }
}

/** An order over an API (Airwallex's `swift_charge_option`) cannot leave all charges to the payee. */
export function bearersFor(way: BankWay, { isByApi }: Pick<PayoutFacts, 'isByApi'>): ChargeBearer[] {
  return chargeBearersOf(way).filter((bearer) => !isByApi || bearer !== 'payee');
}

/** As it is sent: nothing, the payee's reference alone in the field for it, or a text. */
export function remittanceOf(way: BankWay, remittance: string): { text: string } | { reference: string } | null {
  if (remittance.trim() === '') return null;
  if (isCreditorReference(remittance)) return { reference: remittance.replaceAll(/\s/g, '').toUpperCase() };
  return { text: printedOf(way, remittance).text };
}
