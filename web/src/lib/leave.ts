import { keepAccountLocale } from './locale.tsx';
import { endSession } from './session.ts';
import { forgetDrafts } from './storage.ts';

/** How long signing out waits for the server, in milliseconds. */
const wait_ms = 3_000;

/** Ends the session on the server (`tell`) and here. The token and what was typed are forgotten even when the server does not answer. */
export async function leave(tell: (signal: AbortSignal) => Promise<unknown>): Promise<void> {
  await tell(AbortSignal.timeout(wait_ms)).catch(() => undefined);
  endSession('sign-out');
  keepAccountLocale(null);
  forgetDrafts();
}
