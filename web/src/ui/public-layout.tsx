import { type Locale, locales } from '@causeway/contract/locale.ts';
import type { ReactNode } from 'react';
import { changeLanguage } from '../lib/language.ts';
import { localeNames, localeTag, useLocale, useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { Logo } from './logo.tsx';

interface Props {
  title: string;
  intro?: ReactNode;
  children: ReactNode;
  /** Under the card: the way to another public page. */
  footer?: ReactNode;
  /** Agreements need room to be read. */
  wide?: boolean;
}

/** The frame of the pages before sign-in: one card, the languages beneath. */
export function PublicLayout({ title, intro, children, footer, wide }: Props) {
  return (
    <div className="flex min-h-dvh flex-col items-center justify-center gap-6 px-4 py-10">
      <main
        id="content"
        className={classNames(
          'w-full rounded-10 border border-line bg-surface p-6 sm:p-8',
          wide ? 'max-w-200' : 'max-w-100',
        )}
      >
        <Logo />
        <h1 data-heading tabIndex={-1} className="mt-6 mb-1 text-20 font-semibold">
          {title}
        </h1>
        {intro !== undefined && <div className="text-13 text-muted">{intro}</div>}
        <div className="mt-6">{children}</div>
      </main>
      {footer !== undefined && <footer className="text-center text-13 text-muted">{footer}</footer>}
      <LanguageLinks />
    </div>
  );
}

/** The three languages, each by its own name: light enough for the first page, and no menu to open. */
function LanguageLinks() {
  const t = useText();
  const current = useLocale();
  const choose = (locale: Locale) => void changeLanguage(locale);
  return (
    <nav aria-label={t('ui.language')} className="flex gap-1 text-13">
      {locales.map((locale) => (
        <button
          key={locale}
          type="button"
          lang={localeTag(locale)}
          aria-pressed={locale === current}
          className={classNames(
            'rounded-6 px-2 py-1 hover:bg-hover hover:text-text',
            locale === current ? 'font-medium text-text' : 'text-muted',
          )}
          onClick={() => choose(locale)}
        >
          {localeNames[locale]}
        </button>
      ))}
    </nav>
  );
}
