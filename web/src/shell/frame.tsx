import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import { fetchSchemas } from '../lib/client.ts';
import { useText } from '../lib/locale.tsx';
import { queryClient } from '../lib/queries.ts';
import { useAvailable } from '../lib/service-state.ts';
import { useSessionToken } from '../lib/session.ts';
import { ReadOnly, type ReadOnlyReasons } from '../ui/read-only.ts';
import { Banner } from '../ui/states.tsx';
import { Header } from './header.tsx';
import type { Menu } from './menu.ts';
import { Navigation } from './navigation.tsx';
import type { PaletteProps } from './palette-dialog.tsx';
import type { Shortcut } from './shortcut-list.tsx';

interface Props {
  menu: Menu;
  /** At the right end of the header, after search and languages. */
  headerEnd: ReactNode;
  /** The words in the header's search field. */
  searchText: string;
  Palette: ComponentType<PaletteProps>;
  /** Why its reader changes nothing; null where they may: a hook. */
  useReadOnly?: () => ReadOnlyReasons | null;
  /** What holds for the whole console, above every page. */
  notices?: ReactNode;
  /** Keys that this console has beside what both have. */
  keys: readonly Shortcut[];
  /** Starts what goes on behind the pages; its code comes after the first paint. Returns what stops it. */
  startBackground: () => Promise<() => void>;
}

const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.tsx')).Shortcuts }));

// On their way while the first page is drawn.
fetchSchemas();

/** Around every page of a console: what was read, the menu, the header, what goes on behind. */
export function ConsoleFrame(props: Props) {
  const token = useSessionToken();
  // The way to /sign-in may have to load: what was read must not stay on screen meanwhile.
  if (token === null) return null;
  return (
    <QueryClientProvider client={queryClient}>
      <Frame {...props} />
    </QueryClientProvider>
  );
}

const useNever = () => null;

function Frame({
  menu,
  headerEnd,
  searchText,
  Palette,
  useReadOnly = useNever,
  notices,
  keys,
  startBackground,
}: Props) {
  const t = useText();
  const readOnly = useReadOnly();
  const [drawer, setDrawer] = useState(false);
  const online = useOnline();
  const available = useAvailable();
  const path = useLocation({ select: (location) => location.pathname });
  useBackground(startBackground);
  // Moving on closes the drawer of narrow screens.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the reason to close
  useEffect(() => setDrawer(false), [path]);
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="fixed top-2 left-2 z-50 -translate-y-16 rounded-6 bg-accent px-3 py-2 text-on-accent focus:translate-y-0"
      >
        {t('app.skip')}
      </a>
      <Navigation menu={menu} drawerOpen={drawer} onDrawerChange={setDrawer} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header searchText={searchText} onOpenMenu={() => setDrawer(true)}>
          {headerEnd}
        </Header>
        {(!online || !available) && (
          // Below the header, also where the page is scrolled.
          <div className="sticky top-15 z-10">
            <Banner kind="pending" flush>
              {t(online ? 'app.unavailable' : 'app.offline')}
            </Banner>
          </div>
        )}
        {notices}
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none md:px-8">
          <ReadOnly value={readOnly}>
            <Outlet />
          </ReadOnly>
        </main>
      </div>
      <Suspense>
        <Shortcuts Palette={Palette} keys={keys} />
      </Suspense>
    </div>
  );
}

function useBackground(startBackground: Props['startBackground']): void {
  useEffect(() => {
    let stop: (() => void) | null = null;
    let gone = false;
    const start = async () => {
      const started = await startBackground();
      if (gone) started();
      else stop = started;
    };
    void start();
    return () => {
      gone = true;
      stop?.();
    };
  }, [startBackground]);
}

function useOnline(): boolean {
  const [online, setOnline] = useState(navigator.onLine);
  useEffect(() => {
    const update = () => setOnline(navigator.onLine);
    window.addEventListener('online', update);
    window.addEventListener('offline', update);
    return () => {
      window.removeEventListener('online', update);
      window.removeEventListener('offline', update);
    };
  }, []);
  return online;
}
