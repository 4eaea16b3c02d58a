import { type Locale, locales } from '@causeway/contract/locale.ts';

/** What a bank or a chain is called, and its Chinese names where it has them. */
export interface PlaceNames {
  name: string;
  nameZhHk: string | null;
  nameZhCn: string | null;
}

/** The name in the reader's language; its own where it has no other. */
export function nameOfPlace(names: PlaceNames, locale: Locale): string {
  if (locale === 'zh-hk') return names.nameZhHk ?? names.name;
  if (locale === 'zh-cn') return names.nameZhCn ?? names.name;
  return names.name;
}

/** The name in every language, for what is read later by several people. */
export function namesOfPlace(names: PlaceNames): Record<Locale, string> {
  return Object.fromEntries(locales.map((locale) => [locale, nameOfPlace(names, locale)])) as Record<Locale, string>;
}
