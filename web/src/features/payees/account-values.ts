import { type BankFieldName, bankFieldNames } from '@causeway/contract/bank-fields.ts';
import type { BankPayeeVersion } from '@causeway/contract/bank-payees.ts';
import { type BankWay, type HolderKind, waysTo } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';

/** What the form of an account holds: everything as text, the fields of every way. */
export type AccountValues = {
  holder: HolderKind;
  firstName: string;
  lastName: string;
  enterpriseName: string;
  country: string;
  currency: string;
  way: string;
} & Record<BankFieldName, string>;

const noFields = Object.fromEntries(bankFieldNames.map((name) => [name, ''])) as Record<BankFieldName, string>;

export const noAccount: AccountValues = {
  holder: 'enterprise',
  firstName: '',
  lastName: '',
  enterpriseName: '',
  country: '',
  currency: '',
  way: '',
  ...noFields,
};

/** An account that was saved, to be changed. */
export function valuesOf({
  holder,
  name,
  firstName,
  lastName,
  country,
  currency,
  way,
  fields,
}: BankPayeeVersion): AccountValues {
  return {
    ...noAccount,
    holder,
    firstName: firstName ?? '',
    lastName: lastName ?? '',
    enterpriseName: holder === 'enterprise' ? name : '',
    country,
    currency,
    way,
    ...Object.fromEntries(fields.map((field) => [field.name, field.value])),
  };
}

/** The ways to choose from; none before country and currency are chosen. */
export function waysOf({
  country,
  currency,
  holder,
}: Pick<AccountValues, 'country' | 'currency' | 'holder'>): BankWay[] {
  return country !== '' && isCurrency(currency) ? waysTo(country, currency, holder) : [];
}

const addressFields: ReadonlySet<BankFieldName> = new Set([
  'addressLine1',
  'addressLine2',
  'town',
  'region',
  'postcode',
  'addressCountry',
]);

export function isAddressField(name: BankFieldName): boolean {
  return addressFields.has(name);
}

/** Choices of fields that have few, by the field's label. */
export const choicesByLabel: Readonly<Record<string, readonly string[]>> = {
  usAccountType: ['checking', 'savings'],
  jpAccountType: ['ordinary', 'current', 'savings'],
  purpose: ['SUPP', 'GDDS', 'SCVE', 'SALA', 'RENT', 'TAXS', 'LOAN', 'INTC', 'OTHR'],
};

/** The values that the chosen way has, so that what belongs to another way is neither checked nor sent. */
export function sentOf(values: AccountValues): Record<string, string> {
  const way = waysOf(values).find(({ id }) => id === values.way);
  const names = new Set<string>(way?.fields.map(({ name }) => name) ?? []);
  const { holder, country, currency, firstName, lastName, enterpriseName } = values;
  const named: Record<string, string> = holder === 'personal' ? { firstName, lastName } : { enterpriseName };
  const filled = bankFieldNames.filter((name) => names.has(name) && values[name].trim() !== '');
  return {
    holder,
    country,
    currency,
    way: values.way,
    ...named,
    ...Object.fromEntries(filled.map((name) => [name, values[name]])),
  };
}
