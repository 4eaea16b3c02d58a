import { Link } from '@tanstack/react-router';
import { useUnreadCount } from '../features/notices/index.ts';
import { localeNames, useLocale, useText } from '../lib/locale.tsx';
import { IconButton } from '../ui/button.tsx';
import { DeferredMenu } from '../ui/deferred-menu.tsx';
import { Icon } from '../ui/icon.tsx';
import { HeaderSearch } from './header-search.tsx';
import { usePageTitle } from './page-title.ts';
import { UserMenu } from './user-menu.tsx';

/** 60 px: where one is, the search, the languages, the notices, who one is. */
export function Header({ onOpenMenu }: { onOpenMenu: () => void }) {
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
        <HeaderSearch />
        <LanguageMenu />
        <NoticeBell />
        <UserMenu />
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

/** How many notices are unread, kept up to date by live events. */
function NoticeBell() {
  const t = useText();
  const count = useUnreadCount();
  const label = t('app.notices.bell', { count });
  return (
    <Link
      to="/app/notice-center"
      aria-label={label}
      title={label}
      className="relative inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-muted hover:bg-hover hover:text-text"
    >
      <Icon name="bell" />
      {count > 0 && (
        <span
          aria-hidden="true"
          className="figures absolute top-0.5 right-0 min-w-4 rounded-full bg-negative px-1 text-center text-12 leading-4 font-medium text-on-negative"
        >
          {count > 99 ? '99+' : count}
        </span>
      )}
    </Link>
  );
}
