import { reportActivity } from '@causeway/contract/identity.ts';
import { activitySampleMs, idleTimeoutMs, idleWarningMs } from '@causeway/contract/identity-rules.ts';
import { streamEvents } from '@causeway/contract/live.ts';
import { QueryClientProvider } from '@tanstack/react-query';
import { Outlet, useLocation } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { send } from '../lib/client.ts';
import { watchIdle } from '../lib/idle.ts';
import { translate, useText } from '../lib/locale.tsx';
import { queryClient } from '../lib/queries.ts';
import { endSession } from '../lib/session.ts';
import { toast } from '../lib/toasts.ts';
import { Banner } from '../ui/states.tsx';
import { Header } from './header.tsx';
import { Navigation } from './navigation.tsx';
import { Shortcuts } from './shortcuts.tsx';

/** The server hears at most once a minute that somebody is at the keyboard. */
const reportEvery_ms = 60_000;

/** Around every page of the console: what was read, the menu, the header; watches over the session and the live events. */
export function Console() {
  return (
    <QueryClientProvider client={queryClient}>
      <Frame />
    </QueryClientProvider>
  );
}

function Frame() {
  const t = useText();
  const [drawer, setDrawer] = useState(false);
  const online = useOnline();
  const path = useLocation({ select: (location) => location.pathname });
  useSessionWatch();
  useLiveStream();
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
      <Navigation drawerOpen={drawer} onDrawerChange={setDrawer} />
      <div className="flex min-w-0 flex-1 flex-col">
        <Header onOpenMenu={() => setDrawer(true)} />
        {!online && (
          <Banner kind="pending" flush>
            {t('app.offline')}
          </Banner>
        )}
        <main id="content" tabIndex={-1} className="min-w-0 flex-1 px-4 py-6 outline-none md:px-8">
          <Outlet />
        </main>
      </div>
      <Shortcuts />
    </div>
  );
}

/** Ends the session after fifteen minutes without mouse or key (specification, section 4). */
function useSessionWatch(): void {
  useEffect(() => {
    const timings = {
      timeout_ms: idleTimeoutMs,
      sample_ms: activitySampleMs,
      warning_ms: idleWarningMs,
      report_ms: reportEvery_ms,
    };
    return watchIdle(document, timings, {
      onWarn: () => toast('notice', translate('app.idle.warning'), { stay_ms: idleWarningMs }),
      onEnd: endSession,
      // Nobody needs to hear that this failed: the next call will say so if the session is over.
      onReport: () => void send(reportActivity, {}).catch(() => undefined),
    });
  }, []);
}

/** The tab's one stream of events. Its code comes after the first paint. */
function useLiveStream(): void {
  useEffect(() => {
    let close: (() => void) | null = null;
    let gone = false;
    const open = async () => {
      const { openLive } = await import('../lib/live-stream.ts');
      if (!gone) close = openLive(streamEvents);
    };
    void open();
    return () => {
      gone = true;
      close?.();
    };
  }, []);
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
