import type { BankFieldProblem } from '@causeway/contract/bank-fields.ts';
import type { BankField } from '@causeway/contract/bank-rules.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { translate } from '../../platform/text/texts.ts';

/** What a field of a bank account is called where the account is. */
export function bankFieldLabel({ label }: BankField, locale: Locale): string {
  return translate(locale, `bank.label.${label}`);
}

/** Why a field of a bank account cannot be used. */
export function bankFieldSentence(problem: BankFieldProblem, locale: Locale): string {
  return translate(locale, `bank.detail.${problem}`);
}
