import { type Locale, locales } from '@causeway/contract/locale.ts';
import { fixedNoticeGroups, type NoticeGroup } from '@causeway/contract/notices-rules.ts';
import { type TextValues, translate } from '../../platform/text/texts.ts';

/** What fills a notice's blanks; `{ text }` is the id of a sentence, so that it too is said in the reader's language. */
export type NoticeValues = Record<string, string | number | { text: string }>;

/** A line that a mail adds: `label` is the id of a sentence. */
export interface NoticeFact {
  label: string;
  value: string;
}

/** By the beginning of a notice's kind, what it belongs to; what has none of them is about money. */
const groupOfStart: readonly (readonly [RegExp, NoticeGroup])[] = [
  [/^(approval|payee)/, 'approval'],
  [/^(review|control)/, 'control'],
  [/^risk/, 'risk'],
  [/^(organisation|member)/, 'organisation'],
  [/^(account|security)/, 'security'],
];

/** Which mails a notice of this kind goes with. */
export function groupOf(kind: string): NoticeGroup {
  return groupOfStart.find(([start]) => start.test(kind))?.[1] ?? 'money';
}

/** Whether its mail also goes to a member who has been removed meanwhile: the removal may be its very subject. */
export function reachesFormer(kind: string): boolean {
  return kind.startsWith('security.');
}

export function isFixed(group: NoticeGroup): boolean {
  return fixedNoticeGroups.some((fixed) => fixed === group);
}

/** Puts a notice into words: `notice.<kind>.title` and `notice.<kind>.body` of the catalogues. */
export function render(kind: string, values: NoticeValues, locale: Locale): { title: string; body: string } {
  const filled: TextValues = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'object' ? translate(locale, value.text) : value,
    ]),
  );
  return {
    title: translate(locale, `notice.${kind}.title`, filled),
    body: translate(locale, `notice.${kind}.body`, filled),
  };
}

/** Its words in each language, lower case, as the keyword search looks through them. */
export function searchTexts(kind: string, values: NoticeValues): Record<Locale, string> {
  const of = (locale: Locale) => {
    const { title, body } = render(kind, values, locale);
    return `${title}\n${body}`.toLowerCase();
  };
  return Object.fromEntries(locales.map((locale) => [locale, of(locale)])) as Record<Locale, string>;
}

/** An announcement's own words, in each language. */
export type AnnouncementTexts = Record<Locale, { title: string; body: string }>;
