import { useCallback, useSyncExternalStore } from 'react';

/** Whether a media query holds, followed as the window changes. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (listener: () => void) => {
      const media = matchMedia(query);
      media.addEventListener('change', listener);
      return () => media.removeEventListener('change', listener);
    },
    [query],
  );
  return useSyncExternalStore(
    subscribe,
    () => matchMedia(query).matches,
    () => false,
  );
}

/** Room for a column beside a form: the breakpoint `lg`. */
export const wideScreen = '(min-width: 1080px)';

/** Too narrow for a table: rows become cards. */
export const narrowScreen = '(max-width: 639px)';
