import { clearingSystems } from '@causeway/contract/clearing-systems.ts';
import { ibanProblem } from '@causeway/contract/iban.ts';
import { type BankId, REASONS } from './catalogue.ts';
import type { Party, Reason } from './model.ts';
import type { Reader } from './store.ts';

/** What the bank can know of a payee: the form of its details, and what the desk has entered of its account. */

/** Currencies that Hong Kong's own clearing carries without a postal address; others it settles by CHATS. Other countries' clearing asks for none. */
const LOCAL: ReadonlySet<string> = new Set(['HKD', 'CNY']);

/** Why a payment to this payee is refused; undefined when it is not. */
export function payeeProblem(records: Reader, payee: Party, currency: string, bank: BankId): Reason | undefined {
  const code = problemOf(records, payee, currency, bank);
  return code === undefined ? undefined : { code, text: REASONS[code] ?? '' };
}

function problemOf(records: Reader, payee: Party, currency: string, bank: BankId): string | undefined {
  if (payee.name.trim() === '') return 'BE22';
  const account = (payee.account ?? '').replaceAll(' ', '');
  if (!isAccount(account)) return 'AC01';
  if (isBankWrong(payee, account)) return 'RC01';
  if (records.get('payees', account)?.state === 'closed') return 'AC04';
  const { clearing } = payee;
  const isCleared = clearing !== undefined && (clearing.system !== 'HKNCC' || LOCAL.has(currency));
  const isLocal = payee.proxy !== undefined || isCleared;
  const isAddressed = (payee.town ?? '') !== '' && (payee.country ?? '') !== '';
  return bank === 'harbour' && !isLocal && !isAddressed ? 'BE04' : undefined;
}

function isAccount(account: string): boolean {
  if (!/^[\w.+@-]{1,64}$/.test(account)) return false;
  return !looksLikeIban(account) || ibanProblem(account, account.slice(0, 2)) === null;
}

const looksLikeIban = (account: string): boolean => /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/.test(account);

function isBankWrong({ bic, clearing, proxy }: Party, account: string): boolean {
  if (bic !== undefined && !/^[A-Z]{6}[A-Z0-9]{2}([A-Z0-9]{3})?$/.test(bic)) return true;
  if (clearing !== undefined) {
    const rule = Object.entries(clearingSystems).find(([system]) => system === clearing.system)?.[1];
    return rule === undefined || !rule.member.test(clearing.member);
  }
  return bic === undefined && proxy === undefined && !looksLikeIban(account);
}

/** FULL_MATCH, PARTIAL_MATCH and NOT_MATCHED are the answers of verification of payee; undefined: the account's bank does not answer. */
export type NameMatch = { result: 'FULL_MATCH' | 'PARTIAL_MATCH' | 'NOT_MATCHED'; name?: string };

/** Compares a name with that of the account's holder, as far as the desk has entered one. */
export function matchName(records: Reader, account: string, name: string): NameMatch | undefined {
  const known = records.get('payees', account.replaceAll(' ', ''));
  if (known === undefined || known.state === 'closed') return undefined;
  const [asked, held] = [plain(name), plain(known.name)];
  if (asked.join(' ') === held.join(' ')) return { result: 'FULL_MATCH', name: known.name };
  const shared = asked.filter((word) => held.includes(word)).length;
  if (shared > 0 && shared * 2 >= Math.min(asked.length, held.length))
    return { result: 'PARTIAL_MATCH', name: known.name };
  return { result: 'NOT_MATCHED' };
}

function plain(name: string): string[] {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '');
}
