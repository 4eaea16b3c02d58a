import { getAddressV2, getOverview, getStatement, listChains, listFees, listWallets } from 'virtual:calls/wallets';
import type { Chain } from '@causeway/contract/wallets.ts';
import { invalidateOn, pricesRefresh_ms } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

invalidateOn(['balance', 'transaction'], [getOverview, listWallets]);
invalidateOn(['balance', 'transaction'], [getStatement]);
// A family of chains may give a wallet a fresh address once the last one has received something.
invalidateOn(['balance'], [getAddressV2]);

/** Chains change when the operator changes them, not while a page is open. */
const chainsHold_ms = 300_000;

export function useOverview() {
  return useCall(getOverview, {}, { quiet: true, refetchInterval_ms: pricesRefresh_ms });
}

export function useWallets() {
  return useCall(listWallets, {}, { quiet: true, refetchInterval_ms: pricesRefresh_ms });
}

export function useChains() {
  return useCall(listChains, {}, { quiet: true, staleTime_ms: chainsHold_ms });
}

/** The schedule in force. */
export function useFees() {
  return useCall(listFees, {}, { quiet: true });
}

export function useStatement(walletId: string, cursor: string | null, size: number) {
  return useCall(
    getStatement,
    { params: { id: walletId }, query: { size: pageSize(size), ...(cursor !== null && { cursor }) } },
    { quiet: true, keepPrevious: true },
  );
}

/** The receiving address of a coin on a chain; with a quantity, which then is part of the payment URI. */
export function useReceivingAddress(coin: string, chain: string, amount: string) {
  return useCall(
    getAddressV2,
    { query: { coin, chain, ...(amount !== '' && { amount }) } },
    { enabled: coin !== '' && chain !== '', quiet: true, keepPrevious: true },
  );
}

/** Where a chain's explorer shows an address or a transaction; null when the operator has configured none. */
export function explorerLink(
  chains: readonly Chain[] | undefined,
  chain: string | null,
  kind: 'address' | 'tx',
  value: string,
): string | null {
  const base = chains?.find((known) => known.id === chain)?.explorerUrl;
  return base == null ? null : `${base.replace(/\/$/, '')}/${kind}/${value}`;
}

export function pageSize(size: number): '10' | '20' | '50' | '100' {
  return size === 10 ? '10' : size === 50 ? '50' : size === 100 ? '100' : '20';
}
