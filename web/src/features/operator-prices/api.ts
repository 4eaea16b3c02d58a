import { listProposals } from 'virtual:calls/operator';
import {
  cancelAnnouncement,
  editAnnouncement,
  listAnnouncements,
  writeAnnouncement,
} from 'virtual:calls/operator-announcements';
import { listCompanies } from 'virtual:calls/operator-companies';
import {
  listOperatorAssets,
  listPriceHistory,
  listPricesInForce,
  proposePrice,
  proposeSwitchOn,
  switchOff,
  tryPrice,
  withdrawPrice,
} from 'virtual:calls/operator-prices';
import type { Query } from '@causeway/contract/call.ts';
import type { tryPrice as TryPriceCall } from '@causeway/contract/operator-prices.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

/** Colleagues change the same, and what is planned begins to hold. */
const refresh_ms = 15_000;
/** The worker sends what is due within seconds. */
const sending_ms = 2000;

export function usePrices(companyId: string | undefined) {
  const query = companyId === undefined ? {} : { companyId };
  return useCall(listPricesInForce, { query }, { quiet: true, keepPrevious: true, refetchInterval_ms: refresh_ms });
}

/** Companies whose name has the keyword, the first of all without one, to choose from. */
export function useCompanies(keyword: string) {
  const query = { size: '20' as const, ...(keyword !== '' && { keyword }) };
  return useCall(listCompanies, { query }, { quiet: true });
}

/** The company of an id, where a form or an address names it; its id in full is a keyword too. */
export function useCompany(id: string, wanted: boolean) {
  return useCall(listCompanies, { query: { keyword: id } }, { quiet: true, enabled: wanted }).data?.items.find(
    (company) => company.id === id,
  );
}

export function useTrial(query: Query<typeof TryPriceCall>, wanted: boolean) {
  return useCall(tryPrice, { query }, { enabled: wanted, quiet: true, keepPrevious: true });
}

const stale = [listPricesInForce, listPriceHistory, listProposals];

export function useProposePrice() {
  return useMutationCall(proposePrice, { invalidates: stale });
}

export function useWithdrawPrice() {
  return useMutationCall(withdrawPrice, { invalidates: stale });
}

/** One price of the history, alone. */
export function usePrice(id: string) {
  return useCall(listPriceHistory, { query: { id } }, { quiet: true });
}

export function useAssets() {
  return useCall(listOperatorAssets, {}, { quiet: true, refetchInterval_ms: refresh_ms });
}

export function useSwitchOff() {
  return useMutationCall(switchOff, { invalidates: [listOperatorAssets] });
}

export function useProposeOn() {
  return useMutationCall(proposeSwitchOn, { invalidates: [listOperatorAssets, listProposals] });
}

/** One announcement, alone. */
export function useAnnouncement(id: string, wanted = true) {
  return useCall(
    listAnnouncements,
    { query: { id } },
    {
      enabled: wanted,
      quiet: true,
      again_ms: ({ items }) => (items[0]?.state === 'planned' || items[0]?.companies === 0 ? sending_ms : null),
    },
  );
}

export function useWrite() {
  return useMutationCall(writeAnnouncement, { invalidates: [listAnnouncements] });
}

export function useEdit() {
  return useMutationCall(editAnnouncement, { invalidates: [listAnnouncements] });
}

export function useCancel() {
  return useMutationCall(cancelAnnouncement, { invalidates: [listAnnouncements] });
}
