import { lazy, Suspense, useEffect, useState } from 'react';
import { useOpenedOnce } from '../ui/deferred.ts';
import { shortcutOf } from './shortcut-keys.ts';

const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }));
const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

/** One that is still fading away takes no keys any more. */
const openDialog = '[role="dialog"]:not([data-closed])';

type Opened = 'palette' | 'list' | null;

/** The keys that work everywhere in the console: `/` to the page's search, `?` for the list, Ctrl-K for the palette. */
export function Shortcuts() {
  const [opened, setOpened] = useState<Opened>(null);
  const paletteNeeded = useOpenedOnce(opened === 'palette');
  const listNeeded = useOpenedOnce(opened === 'list');
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const wanted = shortcutOf(event, isTyping(event.target), document.querySelector(openDialog) !== null);
      if (wanted === null) return;
      event.preventDefault();
      if (wanted === 'search') document.querySelector<HTMLInputElement>('[data-page-search]')?.focus();
      else setOpened(wanted);
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const close = (open: boolean) => !open && setOpened(null);
  return (
    <Suspense>
      {paletteNeeded && <Palette open={opened === 'palette'} onOpenChange={close} />}
      {listNeeded && <ShortcutList open={opened === 'list'} onOpenChange={close} />}
    </Suspense>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}
