import type { Locale } from '@causeway/contract/locale.ts';
import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import { hasText, translate } from '../../../platform/text/texts.ts';
import type { Wait } from '../domain.ts';
import { sayWait } from '../words.ts';
import type { Facts } from './cause.ts';

/** What items say, in the reader's language. A kind's texts take its facts, and `amount`, `asset` and `company`, as blanks. */

export interface Said {
  kind: QueueKind;
  facts: Facts;
  /** In whole units, as it is read in a sentence; empty where no money is concerned. */
  amount: string;
  asset: string;
  /** Empty where no company is concerned. */
  company: string;
}

export function titleOf(locale: Locale, item: Said): string {
  return translate(locale, `queue.title.${item.kind}`, blanksOf(locale, item));
}

/**
 * Kinds whose next step depends on the facts have a text for each value of `next`, or of what a transfer waits for. Items outlive the
 * release that wrote them: a value that has no text any more must not keep the others from being read.
 */
export function nextStepOf(locale: Locale, item: Said): string {
  const variant = item.facts['next'] ?? item.facts['waitsFor'];
  const id = variant === undefined ? `queue.next.${item.kind}` : `queue.next.${item.kind}.${variant}`;
  return translate(locale, hasText(locale, id) ? id : 'queue.next.other', blanksOf(locale, item));
}

/** The facts with their labels; those that only choose a text are left out. */
export function factsOf(locale: Locale, { kind, facts }: Said): { label: string; value: string }[] {
  const known = Object.entries(facts).filter(([name]) => hasText(locale, `queue.fact.${name}`));
  return known.map(([name, value]) => ({
    label: translate(locale, `queue.fact.${name}`),
    value:
      kind === 'transferStuck' && name === 'waitsFor' && hasText(locale, `transfer.waitsFor.${value}`)
        ? sayWait(locale, waitIn(facts))
        : wordsOf(locale, name, value),
  }));
}

/** Facts whose values are names of ours are put into words. */
function wordsOf(locale: Locale, name: string, value: string): string {
  const id = `queue.value.${name}.${value}`;
  return hasText(locale, id) ? translate(locale, id) : value;
}

function waitIn({ waitsFor, ...blanks }: Facts): Wait {
  return { reason: waitsFor as Wait['reason'], blanks };
}

function blanksOf(locale: Locale, { facts, amount, asset, company }: Said): Record<string, string> {
  const installation = translate(locale, 'queue.installation');
  return { asset, ...facts, amount, company: company === '' ? installation : company };
}
