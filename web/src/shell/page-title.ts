import { useMatches } from '@tanstack/react-router';
import { useText } from '../lib/locale.tsx';

/** The match of the page itself: the outermost one with a title. A panel opened over it is further in. */
function usePageMatch() {
  return useMatches().find((match) => match.staticData.title !== undefined);
}

/** The title of the page on screen, in words; empty where there is no page. */
export function usePageTitle(): string {
  const t = useText();
  const id = usePageMatch()?.staticData.title;
  return id === undefined ? '' : t(id);
}

/** Changes when another page comes on screen, but not when a panel opens over it or a filter changes. */
export function usePageKey(): string | undefined {
  return usePageMatch()?.id;
}
