import { catalogues } from 'virtual:texts';
import { defaultLocale, type Locale, locales } from '@causeway/contract/locale.ts';
import { setupI18n } from '@lingui/core';
import { I18nProvider, Trans, useLingui } from '@lingui/react';
import { type ReactElement, type ReactNode, useCallback } from 'react';
import { remember, remembered } from './storage.ts';

/** BCP 47 tags: for `<html lang>`, which picks the system font, and for Intl. */
const tags: Record<Locale, string> = { 'en-us': 'en-US', 'zh-hk': 'zh-HK', 'zh-cn': 'zh-CN' };

/** Each language's own name for itself; never translated. */
export const localeNames: Record<Locale, string> = { 'en-us': 'English', 'zh-hk': '繁體中文', 'zh-cn': '简体中文' };

const storageKey = 'language';
/** Of the account that is signed in where nothing was chosen. */
const accountKey = 'language-of-account';
const loadedGroups = new Set(['base']);
const i18n = setupI18n();

function isLocale(value: unknown): value is Locale {
  return locales.some((locale) => locale === value);
}

/** What the person chose in this browser; null without a choice. */
export function chosenLocale(): Locale | null {
  const value = remembered(storageKey);
  return isLocale(value) ? value : null;
}

/**
 * The stored choice, else the language of the account that is signed in, else English. The browser's own language is not asked
 * (decisions, "Languages").
 */
export function storedLocale(): Locale {
  const ofAccount = remembered(accountKey);
  return chosenLocale() ?? (isLocale(ofAccount) ? ofAccount : defaultLocale);
}

/** Keeps the language of the account that signed in, for as long as there is no choice; null forgets it. */
export function keepAccountLocale(locale: Locale | null): void {
  remember(accountKey, locale);
}

/** Shows a language and remembers it as the person's choice. */
export async function chooseLocale(locale: Locale): Promise<void> {
  await applyLocale(locale);
  remember(storageKey, locale);
}

/** The language on screen now, for code outside of components (the client's `accept-language`). */
export function currentLocale(): Locale {
  return isLocale(i18n.locale) ? i18n.locale : storedLocale();
}

/** Loads a language's texts, then shows it everywhere. */
export async function applyLocale(locale: Locale): Promise<void> {
  const parts = await Promise.all([...loadedGroups].map((group) => catalogue(group, locale)));
  for (const messages of parts) i18n.load(locale, messages);
  i18n.activate(locale, tags[locale]);
  document.documentElement.lang = tags[locale];
}

/** Texts that are loading: a second request for the same waits for the first. */
const arriving = new Map<string, Promise<void>>();

/** Makes sure that the texts of these groups (features) are there in the language on screen. */
export async function loadTexts(groups: readonly string[]): Promise<void> {
  await Promise.all(
    groups.map((group) => arriving.get(group) ?? (loadedGroups.has(group) ? undefined : fetchGroup(group))),
  );
}

function fetchGroup(group: string): Promise<void> {
  // Known at once, so that a switch of the language meanwhile fetches it in the new one.
  loadedGroups.add(group);
  const locale = currentLocale();
  const load = async () => {
    try {
      i18n.load(locale, await catalogue(group, locale));
    } catch (cause) {
      loadedGroups.delete(group);
      throw cause;
    } finally {
      arriving.delete(group);
    }
  };
  const arrival = load();
  arriving.set(group, arrival);
  return arrival;
}

async function catalogue(group: string, locale: Locale) {
  const load = catalogues[group]?.[locale];
  if (load === undefined) throw new Error(`no texts for "${group}" in ${locale}`);
  return (await load()).messages;
}

/** Gives every component below the language; `applyLocale` must have been awaited once before. */
export function LocaleProvider({ children }: { children: ReactNode }) {
  return <I18nProvider i18n={i18n}>{children}</I18nProvider>;
}

type Values = Record<string, string | number | Date>;

/** `t(id, values)`: the text of an id in the language on screen. */
export type Translate = (id: string, values?: Values) => string;

/** The text function for code outside of components (toasts of the client). */
export const translate: Translate = (id, values) => i18n._(id, values);

export function useText(): Translate {
  const { i18n: current } = useLingui();
  // A new function for each language, so that memoised texts follow a switch.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the locale is what the texts depend on
  return useCallback((id, values) => current._(id, values), [current, current.locale]);
}

export function useLocale(): Locale {
  useLingui();
  return currentLocale();
}

/** The BCP 47 tag of the language on screen, for Intl and `lang` attributes. */
export function useLocaleTag(): string {
  return tags[useLocale()];
}

export function localeTag(locale: Locale): string {
  return tags[locale];
}

interface TextProps {
  id: string;
  values?: Values;
  /** Elements for `<0>…</0>` or `<name>…</name>` inside the text. */
  components?: Record<string, ReactElement>;
}

/** A text as an element, with links or emphasis inside it where the message has tags. */
export function Text({ id, values, components }: TextProps) {
  return <Trans id={id} {...(values && { values })} {...(components && { components })} />;
}
