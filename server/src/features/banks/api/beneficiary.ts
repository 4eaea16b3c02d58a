import { type BankFieldName, plainField } from '@causeway/contract/bank-fields.ts';
import { addressCountryOf, type BankDetails, type BankWay, type HolderKind } from '@causeway/contract/bank-rules.ts';
import { foldLatin } from '../messages/folding.ts';

/** A payee in the form of the API (`beneficiary`): pure. Field names and codes are those of Airwallex's API. */

/** An account as it was saved. */
export interface ApiPayee {
  holder: HolderKind;
  name: string;
  country: string;
  currency: string;
  details: BankDetails;
}

/** What the bank knows of a payee and its account. */
export function beneficiaryOf(way: BankWay, payee: ApiPayee): Record<string, unknown> {
  const { details, holder, name } = payee;
  return {
    type: 'BANK_ACCOUNT',
    entity_type: holder === 'enterprise' ? 'COMPANY' : 'PERSONAL',
    ...(holder === 'enterprise' ? { company_name: name } : namesOf(name)),
    ...addressOf(way, payee),
    bank_details: {
      account_name: name,
      account_currency: payee.currency,
      bank_country_code: payee.country,
      ...accountOf(way, details),
      ...(details.bic ? { swift_code: plainField('bic', details.bic) } : {}),
      ...(details.bankName ? { bank_name: details.bankName } : {}),
      ...routingOf(way, details),
    },
  };
}

/** A person's name is one field here: its last word is the surname, as people write it in Latin letters. */
function namesOf(name: string): { first_name: string; last_name: string } {
  const words = name.trim().split(/\s+/);
  const last = words.at(-1) ?? name;
  return { first_name: words.slice(0, -1).join(' ') || last, last_name: last };
}

function addressOf(way: BankWay, { country, details }: ApiPayee) {
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
