/** The three languages of the product, as stored locally and sent in `accept-language`. */
export const locales = ['en-us', 'zh-hk', 'zh-cn'] as const;
export type Locale = (typeof locales)[number];

export const defaultLocale: Locale = 'en-us';

/** The server-side names of the same languages (decisions, "Languages"). */
export const languages = ['en_US', 'zh_HK', 'zh_CN'] as const;
export type Language = (typeof languages)[number];

const languageByLocale: Record<Locale, Language> = { 'en-us': 'en_US', 'zh-hk': 'zh_HK', 'zh-cn': 'zh_CN' };
const localeByLanguage: Record<Language, Locale> = { en_US: 'en-us', zh_HK: 'zh-hk', zh_CN: 'zh-cn' };

export function languageOf(locale: Locale): Language {
  return languageByLocale[locale];
}

export function localeOf(language: Language): Locale {
  return localeByLanguage[language];
}

/**
 * The first of the three languages that an `accept-language` header asks for, in the header's own order;
 * English when it names none. Quality values are ignored: the web app always sends one tag.
 */
export function localeFromHeader(header: string | undefined): Locale {
  for (const part of (header ?? '').toLowerCase().split(',')) {
    const tag = part.split(';')[0]?.trim().replace('_', '-') ?? '';
    if (tag === 'zh-hk' || tag === 'zh-tw' || tag.startsWith('zh-hant')) return 'zh-hk';
    if (tag.startsWith('zh')) return 'zh-cn';
    if (tag.startsWith('en')) return 'en-us';
  }
  return defaultLocale;
}
