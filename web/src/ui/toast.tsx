import { useSyncExternalStore } from 'react';
import { createPortal } from 'react-dom';
import { useText } from '../lib/locale.tsx';
import { dismissToast, shownToasts, subscribeToToasts, type ToastKind } from '../lib/toasts.ts';
import { Icon, type IconName } from './icon.tsx';

const looks: Record<ToastKind, { icon: IconName; tone: string }> = {
  success: { icon: 'check', tone: 'text-positive' },
  error: { icon: 'warning', tone: 'text-negative' },
  notice: { icon: 'info', tone: 'text-notice' },
};

/**
 * Draws all toasts of the app; mounted once at its root. Errors are read out at once, the rest when there is a pause. What
 * lies beneath a toast can still be clicked.
 *
 * They are in the body, above dialogs and panels, which are there as well; and at the top, where the header is, because the
 * buttons that people press next are further down: at the end of forms, at the foot of dialogs and panels.
 */
export function Toasts() {
  const t = useText();
  const toasts = useSyncExternalStore(subscribeToToasts, shownToasts, shownToasts);
  return createPortal(
    <section
      aria-label={t('ui.toast.region')}
      // An open dialog hides everything else from screen readers, except what is live; each toast says how it is read.
      aria-live="off"
      className="pointer-events-none fixed inset-x-4 top-2 z-50 mx-auto flex max-w-100 flex-col gap-2"
    >
      {toasts.map(({ id, kind, text, detail }) => (
        <div
          key={id}
          role={kind === 'error' ? 'alert' : 'status'}
          data-toast={kind}
          className="flex w-full items-start gap-2.5 rounded-10 bg-raised p-3 shadow-float"
        >
          <span className={looks[kind].tone}>
            <Icon name={looks[kind].icon} className="mt-0.5 shrink-0" />
          </span>
          <div className="min-w-0 flex-1">
            <p className="m-0 break-words">{text}</p>
            {detail !== undefined && <p className="pointer-events-auto m-0 break-all text-12 text-faint">{detail}</p>}
          </div>
          <button
            type="button"
            aria-label={t('ui.toast.dismiss')}
            // The focus stays where one was: in the field, in the dialog.
            onMouseDown={(event) => event.preventDefault()}
            className="pointer-events-auto -m-1 inline-flex size-6 shrink-0 items-center justify-center rounded-6 text-faint hover:bg-hover hover:text-text"
            onClick={() => dismissToast(id)}
          >
            <Icon name="close" size={14} />
          </button>
        </div>
      ))}
    </section>,
    document.body,
  );
}
