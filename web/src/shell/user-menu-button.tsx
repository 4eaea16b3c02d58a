import type { ComponentProps } from 'react';
import { useText } from '../lib/locale.tsx';
import { DeferredMenu } from '../ui/deferred-menu.tsx';
import { Icon } from '../ui/icon.tsx';
import { Skeleton } from '../ui/states.tsx';

interface Props {
  /** Loads the menu. */
  load: ComponentProps<typeof DeferredMenu>['load'];
  /** Who is signed in; undefined while that is being read. */
  name: string | undefined;
}

/** The end of the header: who is signed in, and the way to their menu. */
export function UserMenuButton({ load, name }: Props) {
  const t = useText();
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
