import { useText } from '../lib/locale.tsx';
import { useUser } from '../lib/user.ts';
import { DeferredMenu } from '../ui/deferred-menu.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeleton } from '../ui/states.tsx';

const load = () => import('./user-menu-popup.tsx');

/** Who is signed in, by the legal name or the email; opens the account's menu. */
export function UserMenu() {
  const t = useText();
  const user = useUser();
  const name = user && (user.legalName || user.email);
  return (
    <DeferredMenu
      load={load}
      trigger={
        <button
          type="button"
          aria-label={name === undefined ? t('app.user.menu') : `${t('app.user.menu')}: ${name}`}
          className="inline-flex h-9 max-w-56 min-w-9 items-center gap-1.5 rounded-6 px-2 text-13 font-medium text-text hover:bg-hover"
        >
          <Icon name="user" className="shrink-0 text-muted" />
          <span className="hidden min-w-0 truncate md:inline">{name ?? <Skeleton width="w-24" />}</span>
          <Icon name="chevronDown" size={12} className="hidden shrink-0 text-faint md:inline" />
        </button>
      }
    />
  );
}
