import { ApiError } from './api-error.ts';
import { noteFailure } from './failure.ts';
import { translate } from './locale.tsx';
import { endSession, sessionToken } from './session.ts';
import { toast } from './toasts.ts';

/** Between the message of an ended session and the way to /sign-in (decisions, "Session"). */
const redirectDelay_ms = 300;

/** Errors that were shown: a 401 is reported by the client and comes once more to the caller's own handler. */
const reported = new WeakSet<Error>();
/** The session that a 401 is about to end: calls that fail together say so once. */
let lapsing: string | null = null;

/**
 * The end of the one road of errors (decisions, "Answers"): the first message as a toast, once for an error. What is not an
 * `ApiError` is a fault of ours and is shown as such.
 */
export function reportError(error: unknown): void {
  if (isAbort(error)) return;
  if (error instanceof ApiError) {
    if (reported.has(error)) return;
    reported.add(error);
  }
  const id = error instanceof ApiError && error.status >= 500 ? error.requestId : null;
  const isOver = error instanceof ApiError && error.status === 401;
  toast('error', messageOf(error), {
    ...(id !== null && { detail: translate('ui.error.requestId', { id }) }),
    // It is read on the way to /sign-in, and there.
    ...(isOver && { lasting: true }),
  });
}

/**
 * A 401 to a request with this token, quiet or not: the message as a toast, and 300 ms later the way to
 * /sign-in, in every tab of this browser. A session that began meanwhile is not concerned.
 */
export function reportLapse(error: ApiError, token: string): void {
  const known = token === lapsing || token !== sessionToken();
  if (known) reported.add(error);
  else reportError(error);
  if (known) return;
  lapsing = token;
  setTimeout(endSession, redirectDelay_ms, 'lapse', token);
}

/** The same of something that a person tried to do: a dialog that is open over the page says it too, for as long as it holds. */
export function reportFailure(error: unknown): void {
  reportError(error);
  if (!isAbort(error)) noteFailure(messageOf(error), error instanceof ApiError ? error.key : null);
}

/** The sentence shown for an error, in the language on screen. */
export function messageOf(error: unknown): string {
  if (!(error instanceof ApiError)) return translate('ui.error.unknown');
  if (error.key === 'network') return translate('ui.error.network');
  const [message] = error.messages;
  if (message !== undefined) return message;
  if (error.status === 401) return translate('ui.error.sessionEnded');
  return translate(error.status === 403 ? 'ui.error.noPermission' : 'ui.error.unknown');
}

function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError';
}
