import { type ComponentType, lazy, Suspense, useEffect } from 'react';
import { useOpenedOnce } from '../ui/deferred.ts';
import type { PaletteProps } from './palette-dialog.tsx';
import { openOverlay, useOverlay } from './palette-state.ts';
import { shortcutOf } from './shortcut-keys.ts';
import type { Shortcut } from './shortcut-list.tsx';

const ShortcutList = lazy(async () => ({ default: (await import('./shortcut-list.tsx')).ShortcutList }));

interface Props {
  /** Loaded when it is first opened. */
  Palette: ComponentType<PaletteProps>;
  /** What else the keyboard can do in this console. */
  keys: readonly Shortcut[];
}

/** One that is still fading away takes no keys any more. */
const openDialog = '[role="dialog"]:not([data-closed])';

/** The keys that work everywhere in the console: `/` to the page's search (the palette, where it has none), `?` for the list, Ctrl-K for the palette. */
export function Shortcuts({ Palette, keys }: Props) {
  const opened = useOverlay();
  const paletteNeeded = useOpenedOnce(opened === 'palette');
  const listNeeded = useOpenedOnce(opened === 'list');
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const wanted = shortcutOf(event, isTyping(event.target), document.querySelector(openDialog) !== null);
      if (wanted === null) return;
      event.preventDefault();
      if (wanted !== 'search') openOverlay(wanted);
      else if (pageSearch() === null) openOverlay('palette');
      else pageSearch()?.focus();
    };
    document.addEventListener('keydown', onKeyDown);
    return () => document.removeEventListener('keydown', onKeyDown);
  }, []);
  const close = (open: boolean) => !open && openOverlay(null);
  return (
    <Suspense>
      {paletteNeeded && <Palette open={opened === 'palette'} onOpenChange={close} />}
      {listNeeded && <ShortcutList keys={keys} open={opened === 'list'} onOpenChange={close} />}
    </Suspense>
  );
}

function pageSearch(): HTMLInputElement | null {
  return document.querySelector('[data-page-search]');
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.matches('input, textarea, select, [contenteditable="true"]');
}
