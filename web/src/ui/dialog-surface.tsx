import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { useText } from '../lib/locale.tsx';
import { classNames } from './class-names.ts';
import { FailureNote, useDialogFailure } from './failure-note.tsx';
import { firstFieldOf } from './first-field.ts';
import { Icon } from './icon.tsx';
import { isOnToast } from './on-toast.ts';

export interface DialogProps {
  open: boolean;
  onOpenChange: (open: boolean) => void;
  title: string;
  description?: ReactNode;
  children?: ReactNode;
  /** Buttons at the foot; the primary one is last. */
  actions?: ReactNode;
  wide?: boolean;
  /** No cross: only what the dialog itself offers closes it, since what it shows is not shown again. */
  held?: boolean;
}

const scrim =
  'fixed inset-0 z-40 bg-scrim transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0';

/**
 * The dialog itself; `dialog.tsx` loads it when one is first opened. Focus begins in the first field of a form, stays inside
 * and goes back where it came from; Esc and a click beside it close. A dialog opened by touch has focus itself, since a field's
 * would bring up the keyboard over it.
 */
export function DialogSurface({ open, onOpenChange, title, description, children, actions, wide, held }: DialogProps) {
  const t = useText();
  const popup = useRef<HTMLDivElement>(null);
  const body = useRef<HTMLDivElement>(null);
  const failure = useDialogFailure(open, popup);
  return (
    <Base.Root open={open} onOpenChange={(next, { event }) => isOnToast(event) || onOpenChange(next)}>
      <Base.Portal>
        {/* Also over a panel, whose own scrim dims the page alone. */}
        <Base.Backdrop forceRender className={scrim} />
        <Base.Popup
          ref={popup}
          initialFocus={(openedBy) =>
            openedBy === 'touch' ? popup.current : body.current && firstFieldOf(body.current)
          }
          className={classNames(
            'fixed top-1/2 left-1/2 z-40 flex max-h-[calc(100dvh-32px)] w-[calc(100vw-32px)] md:max-h-[calc(100dvh-144px)] -translate-x-1/2 -translate-y-1/2 flex-col',
            'rounded-10 bg-raised shadow-float transition-opacity data-ending-style:opacity-0 data-starting-style:opacity-0',
            wide ? 'max-w-160' : 'max-w-115',
          )}
        >
          <div className="flex items-start justify-between gap-4 px-6 pt-5">
            <Base.Title className="m-0 min-w-0 text-16 font-semibold break-words">{title}</Base.Title>
            {!held && (
              <Base.Close
                aria-label={t('ui.close')}
                className="-mt-1 -mr-2 inline-flex size-8 items-center justify-center rounded-6 text-faint hover:bg-hover hover:text-text"
              >
                <Icon name="close" />
              </Base.Close>
            )}
          </div>
          <div ref={body} className="min-h-0 overflow-y-auto px-6 pt-1 pb-6">
            {description !== undefined && (
              <Base.Description className="m-0 text-muted" render={<div />}>
                {description}
              </Base.Description>
            )}
            {children !== undefined && <div className="mt-4">{children}</div>}
          </div>
          {failure !== null && (
            <div className="border-t border-line px-6 py-3">
              <FailureNote text={failure} />
            </div>
          )}
          {actions !== undefined && (
            <div className="flex flex-wrap justify-end gap-2 border-t border-line px-6 py-4">{actions}</div>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
