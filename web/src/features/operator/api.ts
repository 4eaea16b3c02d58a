import {
  addOperatorPasskey,
  changeOperatorPassword,
  confirmProposal,
  disableStaff,
  endOperatorSession,
  getOperator,
  getProposal,
  listOperatorPasskeys,
  listOperatorSessions,
  listOperators,
  listProposals,
  proposeStaff,
  proposeStaffReactivation,
  proposeStaffReset,
  proposeStaffRole,
  rejectProposal,
  removeOperatorPasskey,
  startOperatorPasskey,
  withdrawProposal,
} from 'virtual:calls/operator';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from './me.ts';

/** The worker carries out what was confirmed within seconds. */
const acting_ms = 1000;

/** What a change of colleagues or of proposals makes stale. */
const stale = [listOperators, listProposals, getProposal, getOperator];

/** One colleague, alone. */
export function useColleague(id: string) {
  return useCall(listOperators, { query: { id } }, { quiet: true, refetchInterval_ms: refresh_ms });
}

/** The administrators who can sign in: at least two are needed to confirm anything about staff. */
export function useAdministrators(wanted: boolean) {
  const query = { role: 'administrator', state: 'active', size: '10' } as const;
  return useCall(listOperators, { query }, { enabled: wanted, quiet: true });
}

/** The newest open proposals, for pages that show a part of them. */
export function useOpenProposals() {
  return useCall(
    listProposals,
    { query: { state: 'open', size: '100' } },
    { quiet: true, refetchInterval_ms: refresh_ms },
  );
}

export function useProposal(id: string) {
  return useCall(
    getProposal,
    { params: { id } },
    {
      quiet: true,
      again_ms: ({ state, act }) => (act?.state === 'pending' ? acting_ms : state === 'open' ? refresh_ms : null),
    },
  );
}

export function useProposeStaff() {
  return useMutationCall(proposeStaff, { invalidates: stale });
}

export function useProposeRole() {
  return useMutationCall(proposeStaffRole, { invalidates: stale });
}

export function useDisable() {
  return useMutationCall(disableStaff, { invalidates: stale });
}

export function useProposeReactivation() {
  return useMutationCall(proposeStaffReactivation, { invalidates: stale });
}

export function useProposeReset() {
  return useMutationCall(proposeStaffReset, { invalidates: stale });
}

export function useConfirm() {
  return useMutationCall(confirmProposal, { invalidates: stale });
}

export function useReject() {
  return useMutationCall(rejectProposal, { invalidates: stale });
}

export function useWithdraw() {
  return useMutationCall(withdrawProposal, { invalidates: stale });
}

export function useChangePassword() {
  return useMutationCall(changeOperatorPassword, { invalidates: [listOperatorSessions] });
}

export function usePasskeys() {
  return useCall(listOperatorPasskeys, {}, { quiet: true });
}

export function useStartPasskey() {
  return useMutationCall(startOperatorPasskey);
}

export function useAddPasskey() {
  return useMutationCall(addOperatorPasskey, { invalidates: [listOperatorPasskeys] });
}

export function useRemovePasskey() {
  return useMutationCall(removeOperatorPasskey, { invalidates: [listOperatorPasskeys, listOperatorSessions] });
}

export function useSessions() {
  return useCall(listOperatorSessions, {}, { quiet: true });
}

export function useEndSession() {
  return useMutationCall(endOperatorSession, { invalidates: [listOperatorSessions] });
}
