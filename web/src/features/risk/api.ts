import { checkAddress } from 'virtual:calls/payees';
import {
  addRiskPolicy,
  deleteRiskPolicy,
  editRiskPolicy,
  explainRisk,
  listIntercepts,
  listRiskPolicies,
  listRiskPolicyLogs,
  listRiskPolicyVersions,
  moveRiskPolicy,
  replayRiskPolicies,
  setRiskPolicyStatus,
} from 'virtual:calls/risk';
import {
  addListEntry,
  deleteListEntry,
  editListEntry,
  getRiskSetting,
  importNamelist,
  listNamelist,
  listNamelistLogs,
  setRiskSetting,
} from 'virtual:calls/risk-lists';
import { listChains } from 'virtual:calls/wallets';
import { formOf, isKnownForm } from '@causeway/contract/address-forms.ts';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import type { Chain } from '@causeway/contract/wallets.ts';
import { invalidateOn } from '../../lib/live.ts';
import { invalidateCall, useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

invalidateOn(['control'], [listNamelist, listNamelistLogs, getRiskSetting]);
invalidateOn(['control'], [listRiskPolicies, listRiskPolicyLogs, listRiskPolicyVersions, listIntercepts]);
invalidateOn(['transaction', 'approval'], [explainRisk]);

/** Chains change when the operator changes them, not while a page is open. */
const chainsHold_ms = 300_000;

export const useRiskSetting = () => useCall(getRiskSetting, {}, { quiet: true });

const lists = [listNamelist, listNamelistLogs];

export const useAddEntry = () => useMutationCall(addListEntry, { invalidates: lists });
export const useEditEntry = () => useMutationCall(editListEntry, { invalidates: lists });
export const useDeleteEntry = () => useMutationCall(deleteListEntry, { invalidates: lists });
export const useSetRiskSetting = () => useMutationCall(setRiskSetting, { invalidates: [getRiskSetting] });

/** Sends a CSV file; a dry run changes nothing. */
export async function sendImport(kind: ListKind, file: File, dryRun: boolean, options: UploadOptions) {
  const query = { kind, dryRun: dryRun ? ('true' as const) : ('false' as const) };
  const answer = await upload(importNamelist, file, { ...options, query });
  if (!dryRun) await Promise.all(lists.map(invalidateCall));
  return answer;
}

export function useRiskChains() {
  return useCall(listChains, {}, { quiet: true, staleTime_ms: chainsHold_ms });
}

/** The verdict on an address of whichever chain, by one of the chains whose family writes addresses so. */
export function useAddressCheck(address: string) {
  const chain = chainToAsk(useRiskChains().data?.items ?? [], address);
  return useCall(
    checkAddress,
    { query: { chain, address } },
    { enabled: chain !== '' && address !== '', quiet: true, staleTime_ms: 60_000 },
  );
}

/** Empty where the address may be of a family whose form is not known: then the server reads it when it is sent. */
function chainToAsk(chains: readonly Chain[], address: string): string {
  const family = formOf(address)?.family;
  const same = chains.find((chain) => chain.family === family);
  if (same !== undefined) return same.id;
  return chains.every((chain) => isKnownForm(chain.family)) ? (chains[0]?.id ?? '') : '';
}

/** The first hundred policies: among them another finds its place. */
export const useAllPolicies = () =>
  useCall(listRiskPolicies, { query: { size: '100' } }, { quiet: true, keepPrevious: true });

/** The newest versions of a policy. */
export const usePolicyVersions = (id: string) =>
  useCall(listRiskPolicyVersions, { params: { id }, query: { size: '20' } }, { quiet: true, keepPrevious: true });

const policies = [listRiskPolicies, listRiskPolicyLogs, listRiskPolicyVersions];

export const useAddPolicy = () => useMutationCall(addRiskPolicy, { invalidates: policies });
export const useEditPolicy = () => useMutationCall(editRiskPolicy, { invalidates: policies });
export const useMovePolicy = () => useMutationCall(moveRiskPolicy, { invalidates: policies });
export const useSetPolicyStatus = () => useMutationCall(setRiskPolicyStatus, { invalidates: policies });
export const useDeletePolicy = () => useMutationCall(deleteRiskPolicy, { invalidates: policies });

/** What the policies would have stopped; what is wrong with the draft is said by the form. */
export const useReplay = () => useMutationCall(replayRiskPolicies);

export function useExplanation(id: string) {
  return useCall(explainRisk, { params: { id } }, { quiet: true });
}
