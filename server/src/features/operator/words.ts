import type { Locale } from '@causeway/contract/locale.ts';
import { translate } from '../../platform/text/texts.ts';
import type { Wait } from './domain.ts';

/** What a transfer waits for, in the reader's language. */
export function sayWait(locale: Locale, { reason, blanks }: Wait): string {
  return translate(locale, `transfer.waitsFor.${reason}`, blanks);
}
