import type { BankPayee, BankPayeeVersion } from '@causeway/contract/bank-payees.ts';
import { payeeNumber } from '@causeway/contract/bank-payees-rules.ts';
import { addressCountryOf, isAddressRefused } from '@causeway/contract/bank-rules.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { bankNamed } from '../../banks/index.ts';
import type { PayeeApproval } from '../approval.ts';
import { type BankAccount, foldedName, listedBank, wayOf } from './account.ts';
import type { BankPayeeRow, VersionRow } from './store.ts';

/** What is shown of a payee and its accounts. */

interface Seen {
  locale: Locale;
  now: Date;
  changedPayeeDays: number;
  /** Currencies that every bank has switched off. */
  off: readonly string[];
  approval: PayeeApproval | null;
}

export function asBankPayee(row: BankPayeeRow, { locale, now, changedPayeeDays, off, approval }: Seen): BankPayee {
  const { id, number, label, remark, status, version, createdAt, createdByName } = row;
  const until = changedUntilOf(row, changedPayeeDays);
  return {
    id,
    number: payeeNumber(number),
    label,
    remark,
    status: status === 'usable' && off.includes(version.currency) ? 'unusable' : status,
    approval,
    account: asVersion(version, locale),
    changedUntil: until && until > now ? until.toISOString() : null,
    addressLacks: lacks(version, now),
    createdAt: createdAt.toISOString(),
    createdBy: createdByName,
  };
}

/** When a changed account stops being marked; null: it was never changed. */
export function changedUntilOf({ changedAt }: Pick<BankPayeeRow, 'changedAt'>, days: number): Date | null {
  return changedAt && new Date(changedAt.getTime() + days * 86_400_000);
}

function lacks(account: BankAccount, now: Date): BankPayee['addressLacks'] {
  const town = account.details.town ?? '';
  const address = { town, country: addressCountryOf(account.country, account.details) };
  return isAddressRefused(wayOf(account), address, now.toISOString().slice(0, 10)) ? ['town'] : [];
}

export function asVersion(version: VersionRow, locale: Locale): BankPayeeVersion {
  const { id, holder, name, firstName, lastName, country, currency, way, account, details } = version;
  invariant(isCurrency(currency), `${currency} is a currency`);
  return {
    id,
    holder,
    name,
    firstName,
    lastName,
    folded: foldedName(version),
    country,
    currency,
    way,
    account,
    bankName: bankNameOf(version, locale),
    fields: wayOf(version).fields.flatMap(({ name: field, label }) => {
      const value = details[field];
      return value === undefined ? [] : [{ name: field, label, value }];
    }),
    verification:
      version.verification && version.verifiedAt
        ? { answer: version.verification, bankName: version.verifiedName, at: version.verifiedAt.toISOString() }
        : null,
    createdAt: version.createdAt.toISOString(),
    createdBy: version.createdByName,
  };
}

/** As the payee's details say, else by the bank's number or BIC where the directory lists it. */
export function bankNameOf(account: BankAccount, locale: Locale): string | null {
  if (account.details.bankName) return account.details.bankName;
  const bank = listedBank(account);
  return bank && bankNamed(bank, locale);
}
