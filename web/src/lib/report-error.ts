import { ApiError } from './api-error.ts';
import { translate } from './locale.tsx';
import { endSession } from './session.ts';
import { toast } from './toasts.ts';

/** Between the message of an ended session and the way to /sign-in (decisions, "Session"). */
const redirectDelay_ms = 300;

/**
 * The end of the one road of errors (decisions, "Answers"): the first message as a toast; after a 401 also the way to
 * /sign-in. What is not an `ApiError` is a fault of ours and is shown as such.
 */
export function reportError(error: unknown): void {
  if (isAbort(error)) return;
  const id = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  const isOver = error instanceof ApiError && error.status === 401;
  toast('error', messageOf(error), {
    ...(id !== null && { detail: translate('ui.error.requestId', { id }) }),
    // It is read on the way to /sign-in, and there.
    ...(isOver && { lasting: true }),
  });
  if (isOver) setTimeout(endSession, redirectDelay_ms, 'lapse');
}

/** The sentence shown for an error, in the language on screen. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return translate('ui.error.unknown');
  if (error.key === 'network') return translate('ui.error.network');
  const [message] = error.messages;
  if (message !== undefined) return message;
  return translate(error.status === 403 ? 'ui.error.noPermission' : 'ui.error.unknown');
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
