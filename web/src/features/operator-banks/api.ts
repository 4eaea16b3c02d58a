import { getProposal, listProposals } from 'virtual:calls/operator';
import { proposeBankFees, proposeBankReturn } from 'virtual:calls/operator-bank-debits';
import {
  getBankExplanation,
  proposeBankTakeBack,
  proposeBankWithdrawal,
} from 'virtual:calls/operator-bank-explanations';
import { proposeBankFile, uploadBankFile } from 'virtual:calls/operator-bank-uploads';
import {
  downloadBankFile,
  findBankCreditTargets,
  getBankFile,
  getBankMoney,
  getBankReconciliation,
  getBanks,
  listBankFiles,
  listBankMoneys,
  proposeBankCredit,
} from 'virtual:calls/operator-banks';
import { getCardSettlement, listCardsOwed, proposeCardSettlement } from 'virtual:calls/operator-cards';
import type { Output } from '@causeway/contract/call.ts';
import type * as explanations from '@causeway/contract/operator-bank-explanations.ts';
import type * as calls from '@causeway/contract/operator-banks.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';
import { refresh_ms } from '../operator/index.ts';

export type Bank = Output<typeof calls.getBanks>['banks'][number];
export type RegistryChange = Output<typeof calls.getBanks>['registry'][number];
export type FileDetail = Output<typeof calls.getBankFile>;
export type MoneyDetail = Output<typeof calls.getBankMoney>;
export type MoneyExplanation = Output<typeof explanations.getBankExplanation>;
export type Place = Output<typeof calls.getBankReconciliation>['places'][number];
export type Finding = Output<typeof calls.getBankReconciliation>['findings'][number];
export type Target = Output<typeof calls.findBankCreditTargets>['targets'][number];

const often = { quiet: true, refetchInterval_ms: refresh_ms } as const;

export function useBanks() {
  return useCall(getBanks, {}, often);
}

/** A file that was read does not change; what it brought does. */
export function useFile(id: string) {
  return useCall(getBankFile, { params: { id } }, { quiet: true });
}

/** Compared when the page is opened and when someone asks for it: it reads all that banks have sent. */
export function useReconciliation() {
  return useCall(getBankReconciliation, {}, { quiet: true, staleTime_ms: Number.POSITIVE_INFINITY });
}

export function useMoney(id: string) {
  return useCall(getBankMoney, { params: { id } }, often);
}

export function useTargets(id: string, keyword: string) {
  return useCall(
    findBankCreditTargets,
    { params: { id }, query: { keyword } },
    { quiet: true, keepPrevious: true, enabled: keyword !== '' },
  );
}

const proposed = { invalidates: [getBankMoney, listBankMoneys, getBanks, listProposals, getProposal] };

export function useProposeCredit() {
  return useMutationCall(proposeBankCredit, proposed);
}

export function useProposeReturn() {
  return useMutationCall(proposeBankReturn, proposed);
}

export function useProposeFees() {
  return useMutationCall(proposeBankFees, proposed);
}

export function useCardSettlement(id: string) {
  return useCall(getCardSettlement, { params: { id } }, often);
}

export function useExplanation(id: string) {
  return useCall(getBankExplanation, { params: { id } }, often);
}

const settled = { invalidates: [...proposed.invalidates, getCardSettlement, getBankExplanation, listCardsOwed] };

export function useProposeCardSettlement() {
  return useMutationCall(proposeCardSettlement, settled);
}

export function useProposeTakeBack() {
  return useMutationCall(proposeBankTakeBack, settled);
}

export function useProposeWithdrawal() {
  return useMutationCall(proposeBankWithdrawal, settled);
}

/** Sends one file to be read and kept until it is proposed. */
export function sendFile(bank: string, file: File, { signal, onProgress }: UploadOptions) {
  return upload(uploadBankFile, file, {
    params: { bank },
    ...(signal && { signal }),
    ...(onProgress && { onProgress }),
  });
}

export function useProposeFile() {
  return useMutationCall(proposeBankFile, { invalidates: [listBankFiles, listProposals] });
}

export async function saveFile(id: string, name: string): Promise<void> {
  // Only a download needs the code for it.
  const { download } = await import('../../lib/download.ts');
  await download(downloadBankFile, { params: { id } }, name);
}
