import type { Locale } from '@causeway/contract/locale.ts';
import { hasText, translate } from '../../../platform/texts.ts';
import type { TaskRow } from '../store/tasks.ts';

/** What a task is called, in the reader's language. */
export function taskName({ content }: Pick<TaskRow, 'content'>, locale: Locale): string {
  if (content.kind === 'transfer') return translate(locale, 'approvals.task.transfer', { payee: content.payeeName });
  const change = translate(locale, `approvals.change.${content.change.kind}`);
  return content.ruleName === ''
    ? change
    : translate(locale, 'approvals.task.change', { change, rule: content.ruleName });
}

/** A reason is a person's own words, or the id of a sentence. */
export function sayReason(reason: string, locale: Locale): string {
  return hasText(locale, reason) ? translate(locale, reason) : reason;
}
