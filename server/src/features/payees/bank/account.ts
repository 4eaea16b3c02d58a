import type { BankFieldName } from '@causeway/contract/bank-fields.ts';
import { plainField } from '@causeway/contract/bank-fields.ts';
import type { addBankPayee } from '@causeway/contract/bank-payees.ts';
import {
  type BankDetails,
  type BankWay,
  clearingMemberOf,
  type HolderKind,
  waysTo,
} from '@causeway/contract/bank-rules.ts';
import type { Body } from '@causeway/contract/call.ts';
import { isCurrency } from '@causeway/contract/currencies.ts';
import { groupedIban } from '@causeway/contract/iban.ts';
import { invariant } from '../../../platform/domain-error.ts';
import { bankOf, foldLatin, type ListedBank } from '../../banks/index.ts';

/** What an account is, by the fields that its way needs: pure. */

/** The fields of the calls that carry an account, checked by the contract. */
export type TypedAccount = Omit<Body<typeof addBankPayee>, 'id' | 'label' | 'remark'>;

/** An account as it is kept. */
export interface BankAccount {
  holder: HolderKind;
  /** As instructions name the holder. */
  name: string;
  firstName: string | null;
  lastName: string | null;
  country: string;
  currency: string;
  way: string;
  /** Each in its one spelling; those that the way has and that are filled. */
  details: BankDetails;
  /** As people read it. */
  account: string;
}

export function readAccount(typed: TypedAccount): BankAccount {
  const { holder, country, currency } = typed;
  const way = wayOf(typed);
  const filled = way.fields.flatMap(({ name }) => {
    const value = plainField(name, typed[name] ?? '');
    return value === '' ? [] : [[name, value] as const];
  });
  const details: BankDetails = Object.fromEntries(filled);
  const oneSpace = (text: string | undefined) => (text ?? '').trim().replaceAll(/\s+/g, ' ');
  const [firstName, lastName] = [oneSpace(typed.firstName), oneSpace(typed.lastName)];
  const person = holder === 'personal';
  return {
    holder,
    name: person ? personName(firstName, lastName) : oneSpace(typed.enterpriseName),
    firstName: person ? firstName : null,
    lastName: person ? lastName : null,
    country,
    currency,
    way: way.id,
    details,
    account: way.account === 'iban' ? groupedIban(details.iban ?? '') : (details[way.account] ?? ''),
  };
}

/** Chinese, Japanese and Korean names begin with the family, and have no space. */
function personName(first: string, last: string): string {
  const isEastAsian = /^[\p{Script=Han}\p{Script=Hangul}]+$/u.test(first + last);
  return isEastAsian ? last + first : `${first} ${last}`;
}

/** The way of an account that was checked. */
export function wayOf({
  country,
  currency,
  holder,
  way,
}: Pick<BankAccount, 'country' | 'currency' | 'holder' | 'way'>): BankWay {
  invariant(isCurrency(currency), `${currency} is a currency`);
  const found = waysTo(country, currency, holder).find(({ id }) => id === way);
  invariant(found, `${way} is a way to ${country} in ${currency}`);
  return found;
}

/** The bank of an account, where the directory lists it. */
export function listedBank(account: BankAccount): ListedBank | null {
  const clearing = clearingMemberOf(wayOf(account), account.details)?.member ?? null;
  return bankOf(account.country, clearing, account.details.bic ?? null);
}

/** Equal for one account, whatever way leads to it: bank and number, an IBAN, or what the payee is found by. */
export function accountKey(account: BankAccount): string {
  const { country, details } = account;
  if (details.iban) return `IBAN ${details.iban}`;
  const number = numberOf(account);
  const way = wayOf(account);
  if (['phone', 'email', 'fpsId'].includes(way.account)) return `${way.account} ${number.toLowerCase()}`;
  const bank = listedBank(account);
  const member = clearingMemberOf(way, details)?.member;
  const code = bank ? (bank.codes[0] ?? bank.bic) : (member ?? details.bic?.slice(0, 8));
  // Of the numbers that begin with a bank's, the rest names the branch, which is part of the account.
  const branch = member && bank?.codes.some((each) => each !== member && member.startsWith(each)) ? `/${member}` : '';
  return `${country} ${code ?? ''}${branch} ${number}`;
}

function numberOf(account: BankAccount): string {
  return account.details[wayOf(account).account] ?? '';
}

/** What a black list may call the account: its number alone, with the bank's number before it, its IBAN. */
export function accountNames(account: BankAccount): string[] {
  const number = numberOf(account).toUpperCase();
  const member = clearingMemberOf(wayOf(account), account.details)?.member;
  const phone = account.details.phone?.replace('+', '');
  return [...new Set([number, ...(member ? [member + number] : []), ...(phone ? [phone] : [])])];
}

const legalForms =
  /\b(?:LTD|LIMITED|CO|COMPANY|INC|INCORPORATED|LLC|LLP|PLC|CORP|CORPORATION|GMBH|AG|SA|SARL|PTE|PTY|BV|NV|KK)\b/g;
const legalFormsChinese = /(?:股份)?有限(?:责任|責任)?公司|公司|株式会社/gu;
const alikeLetters: Readonly<Record<string, string>> = { 0: 'O', 1: 'I', L: 'I', 5: 'S', 8: 'B' };

/** A name without what the eye passes over: accents, signs, legal form, and letters that look like others. */
export function nameLikeness(name: string): string {
  const { text, lost } = foldLatin(name);
  const plain = (lost.length === 0 ? text : name.normalize('NFKC')).toUpperCase().replaceAll('.', '');
  const bare = plain.replaceAll(legalForms, '').replaceAll(legalFormsChinese, '');
  const letters = (bare.replaceAll(/[^\p{L}\p{N}]/gu, '') || plain).replaceAll('RN', 'M');
  return letters.replaceAll(/[01L58]/g, (letter) => alikeLetters[letter] ?? letter);
}

/** The name as a way that carries Latin letters alone will send it; null: the way carries any. */
export function foldedName(account: BankAccount): { text: string; lost: string[] } | null {
  return wayOf(account).letters === 'latin' ? foldLatin(account.name) : null;
}

/** Whether both are the same account of the same holder. */
export function isSameAccount(one: BankAccount, other: BankAccount): boolean {
  const said = ({ details, ...rest }: BankAccount) =>
    JSON.stringify([
      rest.holder,
      rest.name,
      rest.firstName,
      rest.lastName,
      rest.country,
      rest.currency,
      rest.way,
      sorted(details),
    ]);
  return said(one) === said(other);
}

/** Fields in the order of their names: what an approval binds to must not depend on the order in which they are stored. */
export function sorted(details: BankDetails): [BankFieldName, string][] {
  const entries = Object.entries(details) as [BankFieldName, string][];
  return entries.sort(([a], [b]) => (a < b ? -1 : 1));
}
