import { getUser, logout } from 'virtual:calls/identity';
import type { User } from '@causeway/contract/identity.ts';
import { send } from './client.ts';
import { leave } from './leave.ts';
import { invalidateOn } from './live.ts';
import { useCall } from './queries.ts';
import { useSessionToken } from './session.ts';

// Roles and departments are given by others; what they allow holds from the next request on.
invalidateOn(['organisation'], [getUser]);

/** The signed-in user; undefined without one, or while it is loading. */
export function useUser(): User | undefined {
  const token = useSessionToken();
  return useCall(getUser, {}, { enabled: token !== null, staleTime_ms: 300_000 }).data;
}

/** Ends the session on the server and here. */
export function signOut(): Promise<void> {
  return leave((signal) => send(logout, {}, { signal }));
}
