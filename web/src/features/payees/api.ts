import {
  addBankPayee,
  checkBankPayee,
  deleteBankPayee,
  editBankPayee,
  getBankPayee,
  labelBankPayee,
  listBankPayees,
} from 'virtual:calls/bank-payees';
import {
  addCryptoPayee,
  checkAddress,
  deleteCryptoPayee,
  editCryptoPayee,
  getCryptoPayee,
  listCryptoPayees,
} from 'virtual:calls/payees';
import { listChains } from 'virtual:calls/wallets';
import type * as bank from '@causeway/contract/bank-payees.ts';
import type { Body } from '@causeway/contract/call.ts';
import type { Currency } from '@causeway/contract/currencies.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { addressQuery } from './look-alike-check.ts';

invalidateOn(['payee'], [listCryptoPayees, getCryptoPayee, listBankPayees, getBankPayee]);
// Who could approve, and with it for whom a payee waits, changes with members and roles.
invalidateOn(['organisation'], [listCryptoPayees, getCryptoPayee, listBankPayees, getBankPayee]);
invalidateOn(['transaction'], [getCryptoPayee]);

/** Chains change when the operator changes them, not while a page is open. */
const chainsHold_ms = 300_000;

/** How many payees a choice among them offers. */
export const choiceSize = 100;

/** The payees to which a coin can be sent on a chain, the newest first. */
export function usePayeeChoice(chain: string, coin: string) {
  return useCall(
    listCryptoPayees,
    { query: { chain, coin, status: 'usable', size: `${choiceSize}` } },
    { enabled: chain !== '' && coin !== '', quiet: true },
  );
}

/** Those that still wait for approval: shown in the choice, and not to be chosen. */
export function useWaitingPayees(chain: string, coin: string) {
  return useCall(
    listCryptoPayees,
    { query: { chain, coin, status: 'waiting', size: `${choiceSize}` } },
    { enabled: chain !== '' && coin !== '', quiet: true },
  );
}

/** One payee; nothing is asked while the id is empty. */
export function usePayee(id: string) {
  return useCall(getCryptoPayee, { params: { id } }, { quiet: true, enabled: id !== '' });
}

/** The chains on which payees can be; the wallets' own hooks are right of this feature. */
export function usePayeeChains() {
  return useCall(listChains, {}, { quiet: true, staleTime_ms: chainsHold_ms });
}

/** The verdict on an address once it has been typed; nothing is asked while chain or address is missing. */
export function useAddressCheck(chain: string, coin: string, address: string) {
  return useCall(
    checkAddress,
    { query: addressQuery(chain, coin, address) },
    { enabled: chain !== '' && address !== '', quiet: true, staleTime_ms: 60_000 },
  );
}

export function useAddPayee() {
  return useMutationCall(addCryptoPayee, { invalidates: [listCryptoPayees] });
}

export function useEditPayee() {
  return useMutationCall(editCryptoPayee, { invalidates: [listCryptoPayees, getCryptoPayee] });
}

/** `onSuccess` is called even when the button has gone: a deleted payee has none. */
export function useDeletePayee(onSuccess: () => void) {
  return useMutationCall(deleteCryptoPayee, { invalidates: [listCryptoPayees, getCryptoPayee], onSuccess });
}

/** One payee with a bank account; nothing is asked while the id is empty. */
export function useBankPayee(id: string) {
  return useCall(getBankPayee, { params: { id } }, { quiet: true, enabled: id !== '' });
}

/** The payees with a bank account that can be paid, found by what is typed; of one currency where that is known. */
export function useBankPayeeChoice(currency: Currency | '', keyword: string) {
  return useCall(
    listBankPayees,
    {
      query: {
        status: 'usable',
        size: `${choiceSize}`,
        ...(currency !== '' && { currency }),
        ...(keyword !== '' && { keyword }),
      },
    },
    { quiet: true, keepPrevious: true },
  );
}

/** What saving an account would say; nothing is asked while it is not whole. */
export function useAccountCheck(account: Body<typeof bank.checkBankPayee> | null) {
  const body = account ?? ({} as Body<typeof bank.checkBankPayee>);
  return useCall(checkBankPayee, { body }, { enabled: account !== null, quiet: true, staleTime_ms: 60_000 });
}

export function useAddBankPayee() {
  return useMutationCall(addBankPayee, { invalidates: [listBankPayees] });
}

export function useEditBankPayee() {
  return useMutationCall(editBankPayee, { invalidates: [listBankPayees, getBankPayee] });
}

export function useLabelBankPayee() {
  return useMutationCall(labelBankPayee, { invalidates: [listBankPayees, getBankPayee] });
}

/** `onSuccess` is called even when the button has gone: a deleted payee has none. */
export function useDeleteBankPayee(onSuccess: () => void) {
  return useMutationCall(deleteBankPayee, { invalidates: [listBankPayees, getBankPayee], onSuccess });
}
