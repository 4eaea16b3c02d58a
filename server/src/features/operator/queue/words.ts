import type { Locale } from '@causeway/contract/locale.ts';
import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import * as z from 'zod/mini';
import { hasText, translate } from '../../../platform/text/texts.ts';
import { sourceName } from '../../rates/index.ts';
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

/** A sentence by its id. */
const phrase = z.object({ id: z.string(), values: z.record(z.string(), z.union([z.string(), z.number()])) });
export type Phrase = z.output<typeof phrase>;

/** A sentence as a fact keeps it: facts are strings. */
export function kept({ id, values }: Phrase): string {
  return JSON.stringify({ id, values });
}

/** The sentence in a language; null where none is kept, or this release has it no more. */
export function say(locale: Locale, value: unknown): string | null {
  const { success, data } = phrase.safeParse(value);
  return success && hasText(locale, data.id) ? translate(locale, data.id, data.values) : null;
}

/** What a health check is called, `node:ethereum:2` for one of a chain or a node; one that this release does not know keeps its name. */
export function checkTitle(locale: Locale, name: string, chainName?: string): string {
  const [check = '', chain = '', node = ''] = name.split(':');
  const id = `health.check.${check}`;
  const place = check === 'price-source' ? sourceName(chain) : (chainName ?? chain);
  return hasText(locale, id) ? translate(locale, id, { chain: place, node }) : name;
}

/** The error of the facts in a language, where it has a sentence of ours. */
function inLanguage(locale: Locale, { errorSaid, ...facts }: Facts): Facts {
  const error = errorSaid === undefined ? null : say(locale, JSON.parse(errorSaid));
  return error === null ? facts : { ...facts, error };
}

/** Facts as they are read: what it is about, where, what of it, then why and by whom. Those that only choose a text have no place. */
export const factOrder = [
  ...[
    'subject',
    'member',
    'waitsFor',
    'transfer',
    'earlier',
    'batch',
    'row',
    'trade',
    'card',
    'merchant',
    'purchase',
    'event',
    'phase',
    'version',
    'missing',
    'payee',
    'job',
    'component',
    'verified',
    'cause',
  ],
  ...['bank', 'account', 'file', 'message', 'chain', 'place', 'node', 'address', 'from', 'to', 'hash'],
  ...['payer', 'payerAccount', 'remittance', 'reference', 'bookedOn', 'suggested', 'before', 'after', 'difference'],
  ...['payments', 'answers'],
  ...['venue', 'side', 'quantity', 'asset', 'balance', 'limit', 'sold', 'bought', 'until'],
  ...[
    'differences',
    'entries',
    'attempts',
    'onChain',
    'known',
    'unexplained',
    'input',
    'lostSince',
    'replacedBy',
    'daysLeft',
    'paymentsLeft',
  ],
  ...['source', 'at', 'status', 'error', 'changes', 'currency', 'received', 'fileDigest', 'by', 'reason'],
];

/** The page of the console that shows what a fact names. */
const factLinks: Readonly<Record<string, (value: string) => string>> = {
  transfer: (id) => `/app/payments/${id}`,
  earlier: (id) => `/app/payments/${id}`,
};

/** The facts with their labels, in the order of `factOrder`. */
export function factsOf(
  locale: Locale,
  { kind, ...item }: Said,
): { label: string; value: string; link: string | null }[] {
  const facts = inLanguage(locale, item.facts);
  return factOrder.flatMap((name) => {
    const value = facts[name];
    if (value === undefined || !hasText(locale, `queue.fact.${name}`)) return [];
    return [
      {
        label: translate(locale, `queue.fact.${name}`),
        value:
          kind === 'transferStuck' && name === 'waitsFor' && hasText(locale, `transfer.waitsFor.${value}`)
            ? sayWait(locale, waitIn(facts))
            : name === 'component'
              ? checkTitle(locale, value, facts['chain'])
              : wordsOf(locale, name, value),
        link: factLinks[name]?.(value) ?? null,
      },
    ];
  });
}

/** The facts with what people call the chain and the bank instead of their ids; an unknown one keeps its id. */
export function withNames(facts: Facts, { chain, bank = null }: { chain: string | null; bank?: string | null }): Facts {
  const names = { chain, bank, place: chain ?? bank };
  return Object.fromEntries(
    Object.entries(facts).map(([fact, value]) => [fact, (fact in names && names[fact as keyof typeof names]) || value]),
  );
}

/** Facts whose values are names of ours are put into words. Several events are a list, each with what follows its name. */
function wordsOf(locale: Locale, name: string, value: string): string {
  const say = (word: string) => {
    const id = `queue.value.${name}.${word}`;
    return hasText(locale, id) ? translate(locale, id) : word;
  };
  if (name !== 'event') return say(value);
  const events = value.split(', ').map((event) => event.replace(/^\S+/, say));
  return events.join(locale === 'en-us' ? ', ' : '、');
}

function waitIn({ waitsFor, ...blanks }: Facts): Wait {
  return { reason: waitsFor as Wait['reason'], blanks };
}

function blanksOf(locale: Locale, { facts, amount, asset, company }: Said): Record<string, string> {
  const installation = translate(locale, 'queue.installation');
  return { asset, ...inLanguage(locale, facts), amount, company: company === '' ? installation : company };
}
