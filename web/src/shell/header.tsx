import type { ReactNode } from 'react';
import { localeNames, useLocale, useText } from '../lib/locale.tsx';
import { IconButton } from '../ui/button.tsx';
import { DeferredMenu } from '../ui/deferred-menu.tsx';
import { Icon } from '../ui/icon.tsx';
import { HeaderSearch } from './header-search.tsx';
import { usePageTitle } from './page-title.ts';

interface Props {
  onOpenMenu: () => void;
  /** The words in the search field. */
  searchText: string;
  /** At the right end: who one is, and what else a console has there. */
  children: ReactNode;
}

/** 60 px: where one is, the search, the languages, who one is. */
export function Header({ onOpenMenu, searchText, children }: Props) {
  const t = useText();
  const title = usePageTitle();
  return (
    <header className="sticky top-0 z-20 h-15 shrink-0 border-b border-line bg-surface px-4 md:px-8">
      <div className="mx-auto flex h-full w-full max-w-320 items-center gap-1 md:gap-2">
        <span className="-ml-2 md:hidden">
          <IconButton icon="menu" label={t('app.nav.open')} onClick={onOpenMenu} />
        </span>
        <h1 data-heading tabIndex={-1} className="m-0 min-w-0 flex-1 truncate text-16 font-semibold">
          {title}
        </h1>
        <HeaderSearch text={searchText} />
        <LanguageMenu />
        {children}
      </div>
    </header>
  );
}

const loadLanguages = () => import('./language-menu.tsx');

function LanguageMenu() {
  const t = useText();
  const locale = useLocale();
  return (
    <DeferredMenu
      load={loadLanguages}
      trigger={
        <button
          type="button"
          aria-label={`${t('ui.language')}: ${localeNames[locale]}`}
          className="inline-flex h-9 items-center gap-1.5 rounded-6 px-2 text-13 text-muted hover:bg-hover hover:text-text"
        >
          <Icon name="globe" />
          <span className="hidden sm:inline">{localeNames[locale]}</span>
        </button>
      }
    />
  );
}
