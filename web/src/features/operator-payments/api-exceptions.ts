import { getProposal, listProposals } from 'virtual:calls/operator';
import { getExceptionActs, listExceptions, proposeException } from 'virtual:calls/operator-exceptions';
import type { ExceptionSubject } from '@causeway/contract/operator-exceptions-rules.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

/** What is open is what the worker and the chains make of it: it is read again every few seconds. */
export function useExceptions() {
  return useCall(listExceptions, {}, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useActs(subject: ExceptionSubject, id: string) {
  return useCall(getExceptionActs, { query: { subject, id } }, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useProposeAct() {
  return useMutationCall(proposeException, {
    invalidates: [listExceptions, getExceptionActs, listProposals, getProposal],
  });
}
