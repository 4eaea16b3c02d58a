import { lazy, useMemo } from 'react';
import { useText } from '../lib/locale.tsx';
import { readPermissionsBy } from '../lib/permission.ts';
import { useUser } from '../lib/user.ts';
import { ConsoleFrame } from '../shell/frame.tsx';
import type { Shortcut } from '../shell/shortcut-list.tsx';
import type { ReadOnlyReasons } from '../ui/read-only.ts';
import { CompanyFrozen } from './company-frozen.tsx';
import { LookNotice } from './look-notice.tsx';
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

/** A look changes nothing, and takes no file along. */
function useLookReasons(): ReadOnlyReasons | null {
  const t = useText();
  const isLook = (useUser()?.look ?? null) !== null;
  return useMemo(() => (isLook ? { change: t('app.look.change'), file: t('app.look.file') } : null), [isLook, t]);
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
      useReadOnly={useLookReasons}
      notices={
        <>
          <LookNotice />
          <CompanyFrozen />
        </>
      }
      keys={keys}
      startBackground={startBackground}
    />
  );
}
