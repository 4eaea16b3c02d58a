import { type BankFieldName, plainField } from '@causeway/contract/bank-fields.ts';
import { addressCountryOf, type BankDetails, type BankWay, waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { routeOf } from '@causeway/contract/payments-rules.ts';
import { invariant } from '../../../../platform/domain-error.ts';
import { foldLatin, type TransferInstruction } from '../../../banks/index.ts';
import type { BankTerms } from '../../../outgoing/index.ts';
import type { OnBehalfOf, StoredInstruction } from './instruction.ts';

/** The order to a bank with an HTTP API about one payment, made of its terms alone: pure. Field names and codes are those of Airwallex's API. */

export type StoredTransfer = TransferInstruction;

export function isTransfer(instruction: StoredInstruction | StoredTransfer): instruction is StoredTransfer {
  return 'beneficiary' in instruction;
}

export function transferInstructionOf(terms: BankTerms, company: OnBehalfOf): StoredTransfer {
  const way = wayOf(terms);
  const isSwift = routeOf(way) === 'swift';
  return {
    beneficiary: beneficiaryOf(terms),
    reference: remittanceOf(terms, company),
    reason: reasons[terms.purpose ?? terms.details.purpose ?? ''] ?? usualReason,
    method: isSwift ? 'SWIFT' : 'LOCAL',
    ...(isSwift ? { chargeOption: terms.charges === 'payer' ? ('PAYER' as const) : ('SHARED' as const) } : {}),
  };
}

/** What the bank knows of a payee and its account. */
export function beneficiaryOf(
  terms: Pick<BankTerms, 'country' | 'currency' | 'holder' | 'way' | 'details' | 'nameSent'>,
): Record<string, unknown> {
  const way = wayOf(terms);
  const { details, holder, nameSent } = terms;
  return {
    type: 'BANK_ACCOUNT',
    entity_type: holder === 'enterprise' ? 'COMPANY' : 'PERSONAL',
    ...(holder === 'enterprise' ? { company_name: nameSent } : namesOf(nameSent)),
    ...addressOf(way, terms),
    bank_details: {
      account_name: nameSent,
      account_currency: terms.currency,
      bank_country_code: terms.country,
      ...accountOf(way, details),
      ...(details.bic ? { swift_code: plainField('bic', details.bic) } : {}),
      ...(details.bankName ? { bank_name: details.bankName } : {}),
      ...routingOf(way, details),
    },
  };
}

function wayOf({
  country,
  currency,
  holder,
  way,
}: Pick<BankTerms, 'country' | 'currency' | 'holder' | 'way'>): BankWay {
  invariant(isCurrency(currency), `${currency} is a currency`);
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  invariant(found, `${way} is a way to ${country} in ${currency}`);
  return found;
}

/** A person's name is one field here: its last word is the surname, as people write it in Latin letters. */
function namesOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? name;
  return { first_name: words.slice(0, -1).join(' ') || last, last_name: last };
}

function addressOf(way: BankWay, { country, details }: Pick<BankTerms, 'country' | 'details'>) {
  const asked = new Set(way.fields.map(({ name }) => name));
  const town = foldLatin(details.town ?? '').text;
  if (!asked.has('town') || town === '') return {};
  const lines = [details.addressLine1, details.addressLine2].map((line) => foldLatin(line ?? '').text).filter(Boolean);
  return {
    address: {
      street_address: lines.join(', '),
      city: town,
      ...(details.region ? { state: foldLatin(details.region).text } : {}),
      ...(details.postcode ? { postcode: foldLatin(details.postcode).text } : {}),
      country_code: addressCountryOf(country, details),
    },
  };
}

/** A payee that is found by a phone number, an email address or an FPS identifier has it as its routing value. */
const proxies: Partial<Record<BankFieldName, string>> = {
  phone: 'phone_number',
  email: 'email_address',
  fpsId: 'fps_identifier',
};

function accountOf(way: BankWay, details: BankDetails): Record<string, string> {
  const value = plainField(way.account, details[way.account] ?? '');
  const proxy = proxies[way.account];
  if (proxy) return { account_routing_type1: proxy, account_routing_value1: value, account_number: value };
  if (way.account === 'iban') return { iban: value };
  // Zengin's account numbers have seven digits.
  return { account_number: way.id === 'jpZengin' ? value.padStart(7, '0') : value };
}

/** By the fields of the way: what the API calls the bank's number in its clearing system, and a branch's. */
const routings: Partial<Record<BankFieldName, string>> = {
  routingNumber: 'aba',
  sortCode: 'sort_code',
  bsb: 'bsb',
  bankCode: 'bank_code',
  branchCode: 'branch_code',
  cnaps: 'cnaps',
  ifsc: 'bank_code',
  institution: 'institution_number',
  transit: 'transit_number',
};

/** Japan's ordinary and savings accounts are one category there. */
const categories: Readonly<Record<string, string>> = {
  checking: 'Checking',
  current: 'Checking',
  savings: 'Savings',
  ordinary: 'Savings',
};

function routingOf(way: BankWay, details: BankDetails): Record<string, string> {
  const parts = way.fields.flatMap(({ name }) => {
    const type = routings[name];
    const value = plainField(name, details[name] ?? '');
    return type === undefined || value === '' ? [] : [{ type, value }];
  });
  const category = categories[details.accountType ?? ''];
  return {
    ...Object.fromEntries(
      parts.slice(0, 2).flatMap(({ type, value }, index) => [
        [`account_routing_type${index + 1}`, type],
        [`account_routing_value${index + 1}`, value],
      ]),
    ),
    ...(category === undefined ? {} : { bank_account_category: category }),
  };
}

/** The API asks for a reference: the company's name where the payee is to read nothing else. */
function remittanceOf({ remittance, customer }: BankTerms, company: OnBehalfOf): string {
  if (remittance !== null) return 'text' in remittance ? remittance.text : remittance.reference;
  return foldLatin(company.name).text.slice(0, 35).trim() || customer;
}

/** The API's reasons by ISO 20022's external list "Purpose". */
const reasons: Readonly<Record<string, string>> = {
  GDDS: 'goods_purchased',
  SUPP: 'goods_purchased',
  ADVA: 'goods_purchased',
  SCVE: 'professional_business_services',
  SALA: 'wages_salary',
  RENT: 'real_estate',
  INTC: 'transfer_to_own_account',
  LOAN: 'loan_credit_repayment',
  DIVD: 'investment_proceeds',
  TAXS: 'taxes',
  FREI: 'freight',
  CHAR: 'donation_charitable_contribution',
};
const usualReason = 'other_services';
