import { type Locale, locales } from '@causeway/contract/locale.ts';
import { fixedNoticeGroups, type NoticeGroup } from '@causeway/contract/notices-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import { sayDay, sayInstant } from '../../platform/text/instant.ts';
import { type TextValues, translate } from '../../platform/text/texts.ts';

/** What is said in the reader's language: a name, a moment (ISO 8601) on the clocks of the reader's company, a day (YYYY-MM-DD). */
type Said = { in: Readonly<Record<Locale, string>> } | { at: string } | { day: string };

/** What fills a blank; `{ text }` is the id of a sentence, which may have blanks. */
type NoticeValue = string | number | { text: string; values?: TextValues } | Said;
export type NoticeValues = Record<string, NoticeValue>;

/** A line that a mail adds: `label` is the id of a sentence, or a name that is said as it is. */
export interface NoticeFact {
  label: string | { name: string };
  /** As it is, or said in the reader's language. */
  value: string | Said;
}

/** For whom a notice is put into words; `timeZone` (IANA) is the company's. */
export interface NoticeReader {
  locale: Locale;
  timeZone: string;
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

/** Whether its mail is sent whatever is chosen for its group: each alert was chosen by its reader, by itself. */
export function isAlert(kind: string): boolean {
  return kind.startsWith('alert.');
}

/** Whether its mail also goes to a member who has been removed meanwhile: the removal may be its very subject. */
export function reachesFormer(kind: string): boolean {
  return kind.startsWith('security.');
}

export function isFixed(group: NoticeGroup): boolean {
  return fixedNoticeGroups.some((fixed) => fixed === group);
}

/** A page that notices lead to: the beginning of its address, and what reading it asks for. */
type Page = readonly [start: string, needs: readonly Permission[]];

/** The lists of applications that one of them can be opened beside, the widest first. */
const taskLists: readonly Page[] = [
  ['/app/approval/', ['approval.view', 'rule.manage']],
  ['/app/pending-approval/', ['approval.view', 'approval.decide']],
  ['/app/i-initiated-approval/', ['approval.view']],
];

const pages: readonly Page[] = [
  ...taskLists,
  ['/app/transaction', ['transaction.view']],
  ['/app/otc', ['transaction.view']],
  ['/app/u-collection', ['transaction.view']],
  ['/app/storm', ['transaction.view']],
  // A holder sees their own card.
  ['/app/wallet/credit-card', []],
  ['/app/wallet/', ['wallet.view']],
  ['/app/payee/', ['payee.view']],
  ['/app/member-management', ['member.manage']],
  ['/app/role-management', ['role.manage']],
  ['/app/company-settings', ['setting.manage']],
  ['/app/webhooks', ['setting.manage']],
  ['/app/structure-management', ['department.manage']],
  ['/app/risk-setting/whitelist', ['list.view']],
  ['/app/risk-setting', ['rule.view']],
  ['/app/account', []],
  ['/app/home', []],
];

/**
 * Where a notice leads this reader: an application opens beside a list that is theirs, and a page that they may not read is none
 * (null). Notices are kept, and rights change, so it is asked when a notice is read or mailed.
 */
export function linkFor(link: string | null, permissions: readonly Permission[]): string | null {
  if (link === null) return null;
  const page = pages.find(([start]) => link.startsWith(start));
  if (!page) return null;
  const allows = ([, needs]: Page) => needs.every((permission) => permissions.includes(permission));
  if (allows(page)) return link;
  const other = taskLists.includes(page) ? taskLists.find(allows) : undefined;
  return other ? `${other[0]}${link.slice(page[0].length)}` : null;
}

/** Puts a notice into words: `notice.<kind>.title` and `notice.<kind>.body` of the catalogues. */
export function render(kind: string, values: NoticeValues, reader: NoticeReader): { title: string; body: string } {
  const { locale } = reader;
  const filled: TextValues = Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, typeof value === 'object' ? say(value, reader) : value]),
  );
  return {
    title: translate(locale, `notice.${kind}.title`, filled),
    body: translate(locale, `notice.${kind}.body`, filled),
  };
}

function say(value: Exclude<NoticeValue, string | number>, { locale, timeZone }: NoticeReader): string {
  if ('in' in value) return value.in[locale];
  if ('at' in value) return sayInstant({ at: value.at, timeZone }, locale);
  return 'day' in value ? sayDay(value.day, locale) : translate(locale, value.text, value.values);
}

/** A line that its mail adds, in words. */
export function sayFact({ label, value }: NoticeFact, reader: NoticeReader): { label: string; value: string } {
  return {
    label: typeof label === 'string' ? translate(reader.locale, label) : label.name,
    value: typeof value === 'string' ? value : say(value, reader),
  };
}

/** Whether its words depend on the company's time zone. */
export function hasInstant(values: NoticeValues): boolean {
  return Object.values(values).some((value) => typeof value === 'object' && 'at' in value);
}

/** Its words in each language, lower case, as the keyword search looks through them; times as the company's clocks were when it was given. */
export function searchTexts(kind: string, values: NoticeValues, timeZone: string): Record<Locale, string> {
  const of = (locale: Locale) => {
    const { title, body } = render(kind, values, { locale, timeZone });
    return `${title}\n${body}`.toLowerCase();
  };
  return Object.fromEntries(locales.map((locale) => [locale, of(locale)])) as Record<Locale, string>;
}

/** An announcement's own words, in each language. */
export type AnnouncementTexts = Record<Locale, { title: string; body: string }>;
