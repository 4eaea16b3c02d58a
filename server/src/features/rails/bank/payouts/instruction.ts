import { type BankFieldName, plainField } from '@causeway/contract/bank-fields.ts';
import {
  addressCountryOf,
  type BankDetails,
  type BankWay,
  clearingMemberOf,
  waysTo,
} from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import type { ChargeBearer } from '@causeway/contract/payments-rules.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { foldLatin, type PaymentInstruction } from '../../../banks/index.ts';
import type { BankTerms } from '../../../outgoing/index.ts';

/** The order to a bank about one payment, made of its terms alone: pure. */

/** A payment's part of an order that does not depend on its ids and amount. */
export type StoredInstruction = Omit<PaymentInstruction, 'instructionId' | 'endToEndId' | 'uetr' | 'amount'>;

/** The company on whose behalf the installation pays. */
export interface OnBehalfOf {
  name: string;
}

export function instructionOf(terms: BankTerms, company: OnBehalfOf): StoredInstruction {
  const way = wayOf(terms);
  const { details } = terms;
  const clearing = clearingMemberOf(way, details);
  const latin = (text: string) => (way.letters === 'latin' ? foldLatin(text).text : text);
  return {
    chargeBearer: bearerCode(way, terms.charges),
    onBehalfOf: { name: latin(company.name) || terms.customer, address: null },
    payee: { name: terms.nameSent, address: addressOf(way, terms, latin) },
    account: accountOf(way, details),
    bank: {
      ...(details.bic ? { bic: details.bic } : {}),
      ...(details.bankName ? { name: latin(details.bankName) } : {}),
      ...(clearing ? { clearing: { system: clearing.system, member: clearing.member } } : {}),
    },
    purpose: terms.purpose ?? (details.purpose || null),
    remittance: terms.remittance,
  };
}

/** SEPA for its scheme, URGP for what is settled one by one in real time, NURG for the rest (ISO 20022's external list "ServiceLevel"). */
export function serviceLevelOf(terms: BankTerms): 'SEPA' | 'URGP' | 'NURG' {
  const { id } = wayOf(terms);
  if (id === 'sepa') return 'SEPA';
  return id === 'swift' || id === 'hkChats' ? 'URGP' : 'NURG';
}

function wayOf({ country, currency, holder, way }: BankTerms): BankWay {
  invariant(isCurrency(currency), `${currency} is a currency`);
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  invariant(found, `${way} is a way to ${country} in ${currency}`);
  return found;
}

const codes: Readonly<Record<ChargeBearer, PaymentInstruction['chargeBearer']>> = {
  shared: 'SHAR',
  payer: 'DEBT',
  payee: 'CRED',
};

/** SEPA has a rule of its own, which its messages name. */
function bearerCode({ id }: BankWay, charges: ChargeBearer): PaymentInstruction['chargeBearer'] {
  return id === 'sepa' ? 'SLEV' : codes[charges];
}

/** A payee is found by a phone number, an email address or an FPS identifier on some ways. */
const proxies: Partial<Record<BankFieldName, 'TELE' | 'EMAL' | 'CUST'>> = {
  phone: 'TELE',
  email: 'EMAL',
  fpsId: 'CUST',
};

function accountOf(way: BankWay, details: BankDetails): PaymentInstruction['account'] {
  const value = plainField(way.account, details[way.account] ?? '');
  const proxy = proxies[way.account];
  if (proxy) return { proxy: { type: proxy, id: value } };
  return way.account === 'iban' ? { iban: value } : { number: value };
}

function addressOf(way: BankWay, { country, details }: BankTerms, latin: (text: string) => string) {
  const town = latin(details.town ?? '');
  if (town === '' || !way.fields.some(({ name }) => name === 'town')) return null;
  const lines = [details.addressLine1, details.addressLine2].map((line) => latin(line ?? '')).filter(Boolean);
  return {
    town,
    country: addressCountryOf(country, details),
    ...(details.postcode ? { postcode: latin(details.postcode) } : {}),
    ...(details.region ? { region: latin(details.region) } : {}),
    lines,
  };
}
