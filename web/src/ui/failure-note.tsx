import { type RefObject, useEffect, useState } from 'react';
import { lastFailure, useChangeFailure } from '../lib/failure.ts';
import { Icon } from './icon.tsx';

/** What went wrong with a form or a dialog as a whole. Its toast has been read out: this is not said a second time. */
export function FailureNote({ text }: { text: string }) {
  return (
    <p ref={intoView} data-failure className="m-0 flex items-start gap-2 text-13 break-words text-negative">
      <Icon name="warning" className="mt-0.5 shrink-0" />
      <span className="min-w-0">{text}</span>
    </p>
  );
}

/** The button that led to it may be further down, or further up. */
function intoView(note: HTMLElement | null): void {
  note?.scrollIntoView({ block: 'nearest' });
}

/** What marks a field as wrong. */
export const wrongField = '[aria-invalid="true"], [data-invalid]';

/**
 * The change that failed since a dialog opened, where none of its fields says so; null when there is none. A dialog that stays
 * open says why, also once the toast has gone.
 */
export function useDialogFailure(open: boolean, dialog: RefObject<HTMLElement | null>): string | null {
  const failure = useChangeFailure();
  const [before, setBefore] = useState(failure);
  const [text, setText] = useState<string | null>(null);
  useEffect(() => {
    if (open) setBefore(lastFailure());
  }, [open]);
  useEffect(() => {
    setText(null);
    if (failure === null || failure === before) return undefined;
    // The form that sent the change marks its fields in the same moment.
    const timer = setTimeout(() => setText(dialog.current?.querySelector(wrongField) ? null : failure.text));
    return () => clearTimeout(timer);
  }, [failure, before, dialog]);
  return text;
}
