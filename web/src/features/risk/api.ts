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
  exportNamelist,
  getRiskSetting,
  importNamelist,
  listNamelist,
  listNamelistLogs,
  setRiskSetting,
} from 'virtual:calls/risk-lists';
import { listChains } from 'virtual:calls/wallets';
import type { ListKind } from '@causeway/contract/risk-rules.ts';
import { download, type Input } from '../../lib/client.ts';
import type { ContractOf } from '../../lib/light-call.ts';
import { invalidateOn } from '../../lib/live.ts';
import { invalidateCall, useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

invalidateOn(['control'], [listNamelist, listNamelistLogs, getRiskSetting]);
invalidateOn(['control'], [listRiskPolicies, listRiskPolicyLogs, listRiskPolicyVersions, listIntercepts]);
invalidateOn(['transaction', 'approval'], [explainRisk]);

/** Chains change when the operator changes them, not while somebody looks. */
const chainsHold_ms = 300_000;

export type EntryQuery = Input<ContractOf<typeof listNamelist>>['query'];
export type EntryLogQuery = NonNullable<Input<ContractOf<typeof listNamelistLogs>>['query']>;
export type PolicyQuery = NonNullable<Input<ContractOf<typeof listRiskPolicies>>['query']>;
export type PolicyLogQuery = NonNullable<Input<ContractOf<typeof listRiskPolicyLogs>>['query']>;

const quiet = { quiet: true, keepPrevious: true };

export const useEntries = (query: EntryQuery) => useCall(listNamelist, { query }, quiet);
export const useEntryLogs = (query: EntryLogQuery) => useCall(listNamelistLogs, { query }, quiet);
export const useRiskSetting = () => useCall(getRiskSetting, {}, { quiet: true });

const lists = [listNamelist, listNamelistLogs];

export const useAddEntry = () => useMutationCall(addListEntry, { invalidates: lists });
export const useEditEntry = () => useMutationCall(editListEntry, { invalidates: lists });
export const useDeleteEntry = () => useMutationCall(deleteListEntry, { invalidates: lists });
export const useSetRiskSetting = () => useMutationCall(setRiskSetting, { invalidates: [getRiskSetting] });

/** A list as CSV, with the filters that are on screen. */
export function downloadEntries(query: EntryQuery): Promise<void> {
  const { size: _, cursor: __, ...filters } = query;
  return download(exportNamelist, { query: filters }, `${query.kind}list.csv`);
}

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

/** The verdict on an address as its chain writes it; all chains of the product share one form of address (EIP-55). */
export function useAddressCheck(address: string) {
  const chain = useRiskChains().data?.items[0]?.id ?? '';
  return useCall(
    checkAddress,
    { query: { chain, address } },
    { enabled: chain !== '' && address !== '', quiet: true, staleTime_ms: 60_000 },
  );
}

export const usePolicies = (query: PolicyQuery) => useCall(listRiskPolicies, { query }, quiet);
export const usePolicyLogs = (query: PolicyLogQuery) => useCall(listRiskPolicyLogs, { query }, quiet);

interface PageQuery {
  size: '10' | '20' | '50' | '100';
  cursor?: string;
}

export const useIntercepts = (id: string, query: PageQuery) =>
  useCall(listIntercepts, { params: { id }, query }, quiet);
export const usePolicyVersions = (id: string, query: PageQuery) =>
  useCall(listRiskPolicyVersions, { params: { id }, query }, quiet);

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
