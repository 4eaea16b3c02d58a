import { getUser, logout } from 'virtual:calls/identity';
import type { User } from '@causeway/contract/identity.ts';
import { send } from './client.ts';
import { invalidateOn } from './live.ts';
import { keepAccountLocale } from './locale.tsx';
import { useCall } from './queries.ts';
import { endSession, useSessionToken } from './session.ts';
import { forgetDrafts } from './storage.ts';

// Roles and departments are given by others; what they allow holds from the next request on.
invalidateOn(['organisation'], [getUser]);

/** The signed-in user; undefined without one, or while it is loading. */
export function useUser(): User | undefined {
  const token = useSessionToken();
  return useCall(getUser, {}, { enabled: token !== null, staleTime_ms: 300_000 }).data;
}

/** How long signing out waits for the server, in milliseconds. */
const signOutWait_ms = 3_000;

/** Ends the session on the server and here. The token and what was typed are forgotten even when the server does not answer. */
export async function signOut(): Promise<void> {
  await send(logout, {}, { signal: AbortSignal.timeout(signOutWait_ms) }).catch(() => undefined);
  endSession('sign-out');
  keepAccountLocale(null);
  forgetDrafts();
}
