import { type Locale, locales } from '@causeway/contract/locale.ts';

/** The language of a BCP 47 tag as the list's columns get it; English where it is none of ours. */
export function localeOfTag(tag: string): Locale {
  return locales.find((locale) => locale === tag.toLowerCase()) ?? 'en-us';
}

/** By language, under which names a form has its title and text. */
export const languageFields = {
  'en-us': { title: 'enTitle', body: 'enBody' },
  'zh-hk': { title: 'hkTitle', body: 'hkBody' },
  'zh-cn': { title: 'cnTitle', body: 'cnBody' },
} as const satisfies Record<Locale, { title: string; body: string }>;
