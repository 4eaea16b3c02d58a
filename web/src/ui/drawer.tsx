import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icon.tsx';
import { isOnToast } from './on-toast.ts';

interface Props {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: ReactNode;
  children: ReactNode;
  side: 'left' | 'right';
  /** Buttons at the foot. */
  actions?: ReactNode;
  /** Where the focus goes when it has closed; without, back where it came from. */
  finalFocus?: () => HTMLElement | null;
}

/** A surface that comes in from a side and lies over the page until closed. */
export function Drawer({ open, onOpenChange, title, children, side, actions, finalFocus }: Props) {
  const t = useText();
  return (
    <Base.Root open={open} onOpenChange={(next, { event }) => isOnToast(event) || onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className="fixed inset-0 z-30 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0" />
        <Base.Popup
          {...(finalFocus && { finalFocus })}
          data-panel
          className={classNames(
            'fixed inset-y-0 z-30 flex max-w-[calc(100vw-40px)] flex-col bg-raised shadow-float transition-transform duration-150',
            side === 'left'
              ? 'left-0 w-70 data-ending-style:-translate-x-full data-starting-style:-translate-x-full'
              : 'right-0 w-140 data-ending-style:translate-x-full data-starting-style:translate-x-full',
          )}
        >
          <div className="flex h-15 shrink-0 items-center justify-between gap-4 border-b border-line pr-3 pl-5">
            <Base.Title className="m-0 min-w-0 truncate text-16 font-semibold">{title}</Base.Title>
            <Base.Close
              aria-label={t('ui.close')}
              className="inline-flex size-9 shrink-0 items-center justify-center rounded-6 text-faint hover:bg-hover hover:text-text"
            >
              <Icon name="close" />
            </Base.Close>
          </div>
          {/* Long facts must scroll by keyboard even where nothing in them takes the focus. */}
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls (WCAG 2.1.1) */}
          <div tabIndex={0} className="min-h-0 flex-1 overflow-y-auto -outline-offset-2">
            {children}
          </div>
          {actions !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-5 py-4 empty:hidden">
              {actions}
            </div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
