import { Outlet, useLocation, useRouter } from '@tanstack/react-router';
import { useEffect, useRef } from 'react';
import { useText } from '../lib/locale.tsx';
import { productName } from '../lib/product.ts';
import { placeToReturn } from '../lib/routing.tsx';
import { onSessionEnd } from '../lib/session.ts';
import { dismissFailures, shownToasts, toast } from '../lib/toasts.ts';
import { Toasts } from '../ui/toast.tsx';
import { usePageKey, usePageTitle } from './page-title.ts';

/** Around every page: the toasts, the document's title, the focus after moving on. */
export function Root() {
  useDocumentTitle();
  useHeadingFocus();
  useSessionEnd();
  usePassingFailures();
  return (
    <>
      <Outlet />
      <Toasts />
    </>
  );
}

function useDocumentTitle(): void {
  const title = usePageTitle();
  useEffect(() => {
    document.title = title === '' ? productName : `${title} · ${productName}`;
  }, [title]);
}

/** After moving to another page the focus goes to its heading, so that a screen reader says where one is. */
function useHeadingFocus(): void {
  const key = usePageKey();
  const last = useRef(key);
  useEffect(() => {
    if (last.current === key) return;
    const first = last.current === undefined;
    last.current = key;
    // A dialog that was opened while the page was loading keeps the focus.
    if (first || document.activeElement?.closest('[role="dialog"]')) return;
    document.querySelector<HTMLElement>('[data-heading]')?.focus({ preventScroll: true });
  }, [key]);
}

/** What failed on a page is not said over the next one. */
function usePassingFailures(): void {
  const path = useLocation({ select: (location) => location.pathname });
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path is the reason
  useEffect(dismissFailures, [path]);
}

/** When a session ends, the way leads to /sign-in; from a session that lapsed it leads back afterwards. */
function useSessionEnd(): void {
  const t = useText();
  const router = useRouter();
  useEffect(
    () =>
      onSessionEnd((end, elsewhere) => {
        // The tab that found out has said so; this one may have given the idle warning.
        if (elsewhere && end === 'lapse' && shownToasts().length === 0)
          toast('error', t('ui.error.sessionEnded'), { lasting: true });
        const search = end === 'lapse' ? placeToReturn(router.state.location) : {};
        void router.navigate({ to: '/sign-in', search: search as never });
      }),
    [router, t],
  );
}
