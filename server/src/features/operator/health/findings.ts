import type { Locale } from '@causeway/contract/locale.ts';
import { translate } from '../../../platform/text/texts.ts';
import { type Phrase, say } from '../queue/words.ts';

/** What a verification found, as it is kept: a sentence of ours by its id, or the words of another program as they came. */
export type Finding = Phrase | string;

/** @param values amounts are in minor units */
export function findingOf(kind: string, values: Record<string, string>): Phrase {
  return { id: `health.finding.${kind}`, values };
}

/** The sentence in a language; words of another program are marked as such. */
export function sayFinding(locale: Locale, finding: Finding): string {
  const said = typeof finding === 'string' ? null : say(locale, finding);
  if (said !== null) return said;
  const message = typeof finding === 'string' ? finding : Object.values(finding.values).join(' ');
  return translate(locale, 'health.finding.raw', { message });
}
