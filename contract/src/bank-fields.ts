import { countries } from './countries.ts';
import { ibanPrefixOf } from './iban.ts';

/** The fields of a bank account, by country and way, and the checks of each: without a schema library. */

export const bankFieldNames = [
  'holderName',
  'iban',
  'account',
  'bic',
  'routingNumber',
  'sortCode',
  'bsb',
  'bankCode',
  'branchCode',
  'institution',
  'transit',
  'cnaps',
  'ifsc',
  'clabe',
  'bankName',
  'accountType',
  'phone',
  'email',
  'fpsId',
  'purpose',
  'addressLine1',
  'addressLine2',
  'town',
  'region',
  'postcode',
  'addressCountry',
] as const;
export type BankFieldName = (typeof bankFieldNames)[number];

/** What is wrong with a field; each has a sentence, `bank.detail.<problem>`. */
export const bankFieldProblems = [
  'required',
  'katakana',
  'chinese',
  'ibanCountry',
  'ibanForm',
  'ibanChecksum',
  'bicForm',
  'bicCountry',
  'routingForm',
  'routingChecksum',
  'sortCodeForm',
  'bsbForm',
  'hkBankForm',
  'hkAccountForm',
  'zenginBankForm',
  'zenginBranchForm',
  'jpAccountForm',
  'institutionForm',
  'transitForm',
  'cnapsForm',
  'ifscForm',
  'clabeForm',
  'clabeChecksum',
  'accountForm',
  'usAccountForm',
  'gbAccountForm',
  'auAccountForm',
  'caAccountForm',
  'sgAccountForm',
  'nzAccountForm',
  'cnAccountForm',
  'accountType',
  'phoneForm',
  'cnPhoneForm',
  'emailForm',
  'fpsIdForm',
  'purposeForm',
  'textLong',
  'postcodeForm',
  'regionForm',
  'addressCountryForm',
] as const;
export type BankFieldProblem = (typeof bankFieldProblems)[number];

/** One way to write it: numbers without spaces and hyphens, codes in capitals, texts without white space at their ends. */
export function plainField(field: BankFieldName, text: string): string {
  if (texts.has(field)) return text.trim().replaceAll(/\s+/g, ' ');
  if (field === 'email') return text.trim();
  if (field === 'accountType') return text.trim().toLowerCase();
  return text.replaceAll(/[\s-]/g, '').toUpperCase();
}

const texts: ReadonlySet<BankFieldName> = new Set([
  'holderName',
  'bankName',
  'addressLine1',
  'addressLine2',
  'town',
  'region',
  'postcode',
]);

/** A check of a plain, filled field in the country of the account; `addressCountry` is where its holder lives. */
export type BankFieldCheck = (value: string, country: string, addressCountry: string) => BankFieldProblem | null;

export function form(pattern: RegExp, problem: BankFieldProblem): BankFieldCheck {
  return (value) => (pattern.test(value) ? null : problem);
}

/** ISO 9362: bank, country, place, branch. The country is the account's, or that whose IBANs are used there (Jersey's are British). */
export const bic: BankFieldCheck = (value, country) => {
  if (!/^[A-Z0-9]{4}[A-Z]{2}[A-Z0-9]{2}(?:[A-Z0-9]{3})?$/.test(value)) return 'bicForm';
  return [country, ibanPrefixOf(country)].includes(value.slice(4, 6)) ? null : 'bicCountry';
};

/** American Bankers Association: nine digits, weights 3, 7, 1; the first two are a Federal Reserve district. */
export const routingNumber: BankFieldCheck = (value) => {
  if (!/^(?:0[1-9]|1[0-2]|2[1-9]|3[0-2]|6[1-9]|7[0-2])\d{7}$/.test(value)) return 'routingForm';
  return weighted(value, [3, 7, 1]) % 10 === 0 ? null : 'routingChecksum';
};

/** Mexico: 18 digits, the last over weights 3, 7, 1 of each product's last digit (Banco de México). */
export const clabe: BankFieldCheck = (value) => {
  if (!/^\d{18}$/.test(value)) return 'clabeForm';
  const sum = [...value.slice(0, 17)].reduce(
    (total, digit, i) => total + ((Number(digit) * ([3, 7, 1][i % 3] ?? 0)) % 10),
    0,
  );
  return (10 - (sum % 10)) % 10 === Number(value[17]) ? null : 'clabeChecksum';
};

function weighted(value: string, weights: readonly number[]): number {
  return [...value].reduce((sum, digit, i) => sum + Number(digit) * (weights[i % weights.length] ?? 0), 0);
}

/** As Japanese banks have it: katakana of either width, capitals, digits and the signs of Zengin. */
export const katakana = form(
  /^[\p{Script=Katakana}\u30fc\uff70\uff9e\uff9f\u3099\u309aA-Z0-9Ａ-Ｚ０-９ \u3000().,/\-\uff0e（）]+$/u,
  'katakana',
);
/** As a mainland bank has it. */
export const chinese = form(/\p{Script=Han}/u, 'chinese');
/** ITU-T E.164. */
export const phone = form(/^\+[1-9]\d{6,14}$/, 'phoneForm');
export const email = form(/^[^\s@]{1,64}@[^\s@]+\.[^\s@]{2,}$/, 'emailForm');
export const accountType =
  (...types: string[]): BankFieldCheck =>
  (value) =>
    types.includes(value) ? null : 'accountType';
/** ISO 20022's external list "Purpose" has codes of up to four letters and digits. */
export const purpose = form(/^[A-Z0-9]{3,4}$/, 'purposeForm');
/** Lengths of ISO 20022's postal address. */
export const textUpTo =
  (most: number): BankFieldCheck =>
  (value) =>
    [...value].length <= most ? null : 'textLong';
/** ISO 3166-1. */
export const countryCode: BankFieldCheck = (value) =>
  (countries as readonly string[]).includes(value) ? null : 'addressCountryForm';
