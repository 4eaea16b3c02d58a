import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Instant } from '@causeway/contract/errors.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { locales } from '@causeway/contract/locale.ts';
import { type I18n, type Messages, setupI18n } from '@lingui/core';
import { compileMessage } from '@lingui/message-utils/compileMessage';
import PO from 'pofile';
import { invariant } from '../domain-error.ts';
import { sayInstant } from './instant.ts';

/**
 * The server's texts: errors, mails, notices, PDFs. They are kept in PO catalogues beside the features
 * (`locales/en-us.po` …), with explicit ids and ICU messages, and are read once at start.
 */

/** What fills a text's blanks; an instant is said in the language of the text, with its offset from UTC. */
export type TextValues = Record<string, string | number | Instant>;

const sources = join(import.meta.dirname, '../..');

function load(locale: Locale): I18n {
  const messages: Messages = {};
  for (const file of globSync(`**/locales/${locale}.po`, { cwd: sources })) {
    for (const item of PO.parse(readFileSync(join(sources, file), 'utf8')).items) {
      const text = item.msgstr[0] ?? '';
      invariant(text !== '', `${file}: ${item.msgid} has no text`);
      invariant(!(item.msgid in messages), `${basename(file)}: ${item.msgid} stands in two catalogues`);
      messages[item.msgid] = compileMessage(text);
    }
  }
  return setupI18n({ locale, messages: { [locale]: messages } });
}

const catalogues = new Map<Locale, I18n>();

function catalogue(locale: Locale): I18n {
  let found = catalogues.get(locale);
  if (!found) {
    found = load(locale);
    catalogues.set(locale, found);
  }
  return found;
}

/** Reads all three catalogues, so that a damaged one stops the process at its start and not at its first error. */
export function loadTexts(): void {
  for (const locale of locales) catalogue(locale);
}

/** The sentence of an id in a language; an unknown id is a broken invariant (`npm run check` finds it first). */
export function translate(locale: Locale, id: string, values: TextValues = {}): string {
  const i18n = catalogue(locale);
  invariant(hasText(locale, id), `no text ${id} in ${locale}`);
  const said = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'object' ? sayInstant(value, locale) : value,
  ]);
  return i18n._(id, Object.fromEntries(said));
}

export function hasText(locale: Locale, id: string): boolean {
  return id in catalogue(locale).messages;
}

/** The sentences without blanks whose ids begin like this, by the rest of their ids, in the order of the catalogue. */
export function textsUnder(locale: Locale, start: string): Map<string, string> {
  const ids = Object.keys(catalogue(locale).messages).filter((id) => id.startsWith(start));
  return new Map(ids.map((id) => [id.slice(start.length), translate(locale, id)]));
}
