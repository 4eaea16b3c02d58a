import { Popover as Base } from '@base-ui/react/popover';
import type { ReactElement, ReactNode } from 'react';
import { popupContainer } from './popup-container.ts';

interface Props {
  trigger: ReactElement;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  /** Its name for a screen reader. */
  label: string;
  children: ReactNode;
}

/** A small surface beneath the button that opens it. */
export function Popover({ trigger, open, onOpenChange, label, children }: Props) {
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Trigger render={trigger} />
      <Base.Portal container={popupContainer}>
        <Base.Positioner sideOffset={6} align="start" className="z-40 outline-none">
          <Base.Popup
            aria-label={label}
            className="rounded-10 bg-raised p-3 shadow-float outline-none transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0"
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
