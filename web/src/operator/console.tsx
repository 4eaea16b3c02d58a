import { lazy } from 'react';
import { DecisionsLink, useMe } from '../features/operator/index.ts';
import { useText } from '../lib/locale.tsx';
import { readPermissionsBy } from '../lib/permission.ts';
import { ConsoleFrame } from '../shell/frame.tsx';
import type { Shortcut } from '../shell/shortcut-list.tsx';
import { menu } from './menu-entries.ts';
import { UserMenu } from './user-menu.tsx';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));

/** What a colleague proposed is decided by a key each; so is what an item of the queue needs most. */
const keys: readonly Shortcut[] = [
  [['A'], 'ops.shortcut.confirm'],
  [['R'], 'ops.shortcut.reject'],
  [['T'], 'ops.shortcut.take'],
  [['C'], 'ops.shortcut.comment'],
];

readPermissionsBy(() => useMe()?.permissions);

async function startBackground(): Promise<() => void> {
  const { runOperatorBackground } = await import('./background.ts');
  return runOperatorBackground();
}

/** Around every page of the operator's console. */
export function Console() {
  const t = useText();
  return (
    <ConsoleFrame
      menu={menu}
      searchText={t('ops.search')}
      headerEnd={
        <>
          <DecisionsLink />
          <UserMenu />
        </>
      }
      Palette={Palette}
      keys={keys}
      startBackground={startBackground}
    />
  );
}
