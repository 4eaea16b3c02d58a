import { lazy } from 'react';
import { useText } from '../lib/locale.tsx';
import { readPermissionsBy } from '../lib/permission.ts';
import { useUser } from '../lib/user.ts';
import { ConsoleFrame } from '../shell/frame.tsx';
import type { Shortcut } from '../shell/shortcut-list.tsx';
import { menu } from './menu-entries.ts';
import { NoticeBell } from './notice-bell.tsx';
import { UserMenu } from './user-menu.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** Requests for approval are decided by a key each. */
const keys: readonly Shortcut[] = [
  [['A'], 'app.shortcuts.approve'],
  [['R'], 'app.shortcuts.reject'],
];

readPermissionsBy(() => useUser()?.permissions);

async function startBackground(): Promise<() => void> {
  const { runCompanyBackground } = await import('./background.ts');
  return runCompanyBackground();
}

/** Around every page of the companies' console. */
export function Console() {
  const t = useText();
  return (
    <ConsoleFrame
      menu={menu}
      searchText={t('app.search')}
      headerEnd={
        <>
          <NoticeBell />
          <UserMenu />
        </>
      }
      Palette={Palette}
      keys={keys}
      startBackground={startBackground}
    />
  );
}
