import { useText } from '../lib/locale.tsx';
import { IconButton } from '../ui/button.tsx';
import { Icon } from '../ui/icon.tsx';
import { openOverlay } from './palette-state.ts';

/** What the key beside K is called on this computer. */
const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const shortcut = isApple ? '⌘K' : 'Ctrl K';

/** The way into the palette that one can see: a field with its key on wide screens, a button on narrow ones. */
export function HeaderSearch({ text }: { text: string }) {
  const t = useText();
  const open = () => openOverlay('palette');
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        aria-keyshortcuts={isApple ? 'Meta+K' : 'Control+K'}
        onClick={open}
        className="hidden h-9 w-88 shrink items-center gap-2 rounded-6 border border-line-strong bg-ground px-2.5 text-13 text-faint hover:bg-hover hover:text-muted lg:inline-flex"
      >
        <Icon name="search" />
        <span className="min-w-0 flex-1 truncate text-left">{text}</span>
        <kbd className="rounded-6 border border-line bg-surface px-1.5 font-mono text-12">{shortcut}</kbd>
      </button>
      <span className="lg:hidden">
        <IconButton icon="search" label={t('ui.filter.search')} aria-haspopup="dialog" onClick={open} />
      </span>
    </>
  );
}
