import { uploadFile } from 'virtual:calls/files';
import {
  announceRecharge,
  downloadFunding,
  getArriving,
  getFunding,
  getRecharge,
  listArriving,
  listRecharges,
  withdrawRecharge,
} from 'virtual:calls/recharges';
import type { RechargeNotice } from '@causeway/contract/recharges.ts';
import { download } from '../../lib/download.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

// Apart from `api.ts`: only recharges by bank transfer ask for these.
invalidateOn(['recharge'], [listRecharges, getRecharge]);
// A deposit on its way changes what is arriving; credited, it is a transaction.
invalidateOn(['balance', 'transaction'], [listArriving, getArriving]);

/** The expected date changes with the time of day. */
const fundingHolds_ms = 60_000;

export function useFunding(walletId: string | undefined) {
  return useCall(
    getFunding,
    { params: { id: walletId ?? '' } },
    { enabled: walletId !== undefined, quiet: true, refetchInterval_ms: fundingHolds_ms },
  );
}

export function saveFunding(walletId: string): Promise<void> {
  return download(downloadFunding, { params: { id: walletId } }, 'funding.pdf');
}

/** Announced payments into one wallet, or into all of them; the newest ten. */
export function useNotices(walletId: string | undefined) {
  return useCall(
    listRecharges,
    { query: { size: '10', ...(walletId !== undefined && { walletId }) } },
    { enabled: walletId !== undefined, quiet: true },
  );
}

/** Those that still wait, whatever the wallet. */
export function useWaiting() {
  return useCall(listRecharges, { query: { size: '10', status: 'waiting' } }, { quiet: true });
}

export function useNotice(id: string) {
  return useCall(getRecharge, { params: { id } }, { quiet: true });
}

/** Deposits that the bank has seen and not booked yet, into one wallet. */
export function useArriving(walletId: string) {
  return useCall(listArriving, { params: { id: walletId } }, { quiet: true });
}

export function useArrivingOne(walletId: string, depositId: string) {
  return useCall(getArriving, { params: { id: walletId, depositId } }, { quiet: true });
}

export function useAnnounce() {
  return useMutationCall(announceRecharge, { quiet: true, invalidates: [listRecharges] });
}

export function useWithdraw(onSuccess: (notice: RechargeNotice) => void) {
  return useMutationCall(withdrawRecharge, { invalidates: [listRecharges, getRecharge], onSuccess });
}

export function uploadProof(file: File, options: UploadOptions) {
  return upload(uploadFile, file, options);
}
