import { getOperator, listProposals } from 'virtual:calls/operator';
import { getCompany } from 'virtual:calls/operator-companies';
import { freezeSubject, listFreezes, proposeUnfreeze } from 'virtual:calls/operator-freezing';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

export function useFreezes(companyId: string) {
  return useCall(listFreezes, { params: { id: companyId } }, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useFreezeSubject() {
  return useMutationCall(freezeSubject, { invalidates: [listFreezes, getCompany] });
}

export function useProposeUnfreeze() {
  return useMutationCall(proposeUnfreeze, { invalidates: [listProposals, getOperator] });
}
