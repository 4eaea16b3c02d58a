import { addListEntry, editListEntry, type ListEntry, type WhitelistLimits } from '@causeway/contract/risk-lists.ts';
import {
  accountMaxLength,
  accountMinLength,
  type ListAccountType,
  type ListKind,
} from '@causeway/contract/risk-rules.ts';
import { byContract } from '../../ui/by-contract.ts';
import type { Checked } from '../../ui/form-state.ts';

/** What the form of an entry holds; the limits in US dollars. */
export interface EntryValues {
  payeeType: ListAccountType;
  account: string;
  remark: string;
  single: string;
  daily: string;
  cumulative: string;
}

export function entryValuesOf(entry: ListEntry | null): EntryValues {
  const { single, daily, cumulative } = entry?.limits ?? { single: '', daily: '', cumulative: '' };
  return {
    payeeType: entry?.payeeType ?? 'crypto_address',
    account: entry?.account ?? '',
    remark: entry?.remark ?? '',
    single,
    daily,
    cumulative,
  };
}

interface NewEntry {
  kind: ListKind;
  payeeType: ListAccountType;
  account: string;
  remark?: string | undefined;
  limits?: WhitelistLimits | undefined;
}

const byAdd = byContract(addListEntry.body);
const byEdit = byContract(editListEntry.body);

/** The rules of a new entry; a problem of a limit is reported at its field. */
export function checkNewEntry(kind: ListKind) {
  return ({ payeeType, account, remark, ...limits }: EntryValues): Checked<NewEntry> =>
    flat(byAdd({ kind, payeeType, account, remark, ...(kind === 'white' && { limits }) }));
}

export function checkEntryChange(kind: ListKind, id: string) {
  return ({ remark, single, daily, cumulative }: EntryValues) =>
    flat(byEdit({ id, remark, ...(kind === 'white' && { limits: { single, daily, cumulative } }) }));
}

/** `limits.daily` of the contract is the field `daily` of the form. */
function flat<Output>(checked: Checked<Output>): Checked<Output> {
  if (checked.ok) return checked;
  const problems = checked.problems.map(({ path, message }) => ({
    path: path[0] === 'limits' && path.length > 1 ? path.slice(1) : path,
    message,
  }));
  return { ok: false, problems };
}

/** A bank account without blanks and in capitals, as the list keeps it. */
export function bankAccountOf(typed: string): string {
  return typed.replace(/[\s-]/g, '').toUpperCase();
}

/** Six to thirty-five letters and digits (decisions, "Payees"). */
export function isBankAccount(account: string): boolean {
  return new RegExp(`^[A-Z0-9]{${accountMinLength},${accountMaxLength}}$`).test(account);
}
