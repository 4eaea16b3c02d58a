import { getOperator, operatorLogout } from 'virtual:calls/operator';
import type { Output } from '@causeway/contract/call.ts';
import type { getOperator as getOperatorCall } from '@causeway/contract/operator.ts';
import { send } from '../../lib/client.ts';
import { leave } from '../../lib/leave.ts';
import { useCall } from '../../lib/queries.ts';
import { useSessionToken } from '../../lib/session.ts';

export type Me = Output<typeof getOperatorCall>;

/** How often what others can change is read again while it is on screen, in milliseconds: this console has no stream of events. */
export const refresh_ms = 10_000;

/** The operator signed in, with how many proposals wait for them; undefined while it is loading. */
export function useMe(): Me | undefined {
  const token = useSessionToken();
  return useCall(getOperator, {}, { enabled: token !== null, quiet: true, refetchInterval_ms: refresh_ms }).data;
}

/** Ends the session on the server and here. */
export function signOut(): Promise<void> {
  return leave((signal) => send(operatorLogout, {}, { signal }));
}
