import { listCardsOwed } from 'virtual:calls/operator-cards';
import {
  getTreasury,
  listCollectableFees,
  listFeePayments,
  listTreasuryAddresses,
  proposeFeeWithdrawal,
  proposeTankThreshold,
  proposeTreasuryAddress,
  removeTreasuryAddress,
} from 'virtual:calls/operator-treasury';
import type { Output } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-treasury.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

export type Treasury = Output<typeof calls.getTreasury>;
export type Chain = Treasury['chains'][number];
export type Tank = NonNullable<Chain['tank']>;
export type TreasuryCoin = NonNullable<Chain['treasury']>['coins'][number];
export type Fee = Output<typeof calls.listCollectableFees>['fees'][number];
export type FeePayment = Output<typeof calls.listFeePayments>['items'][number];

const often = { quiet: true, refetchInterval_ms: refresh_ms } as const;

export function useTreasury() {
  return useCall(getTreasury, {}, often);
}

export function useCardsOwed() {
  return useCall(listCardsOwed, {}, often);
}

export function useFees() {
  return useCall(listCollectableFees, {}, often);
}

export function useAddresses() {
  return useCall(listTreasuryAddresses, {}, often);
}

export function useProposeAddress() {
  return useMutationCall(proposeTreasuryAddress, { invalidates: [listTreasuryAddresses] });
}

export function useRemoveAddress() {
  return useMutationCall(removeTreasuryAddress, { invalidates: [listTreasuryAddresses] });
}

export function useProposeThreshold() {
  return useMutationCall(proposeTankThreshold, { invalidates: [getTreasury] });
}

export function useProposeWithdrawal() {
  return useMutationCall(proposeFeeWithdrawal, { invalidates: [listCollectableFees, listFeePayments] });
}
