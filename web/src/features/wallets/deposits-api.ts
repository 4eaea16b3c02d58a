import { listTransactions } from 'virtual:calls/transactions';
import type { Wallet } from '@causeway/contract/wallets.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

// Apart from `api.ts`, so that the wallet list does not load the calls of transfers for it.
invalidateOn(['balance', 'transaction'], [listTransactions]);

/** What came into a wallet lately, the newest first; nothing is asked until the wallet is known. */
export function useDeposits(wallet: Pick<Wallet, 'id' | 'place'> | undefined) {
  return useCall(
    listTransactions,
    { query: { type: depositType(wallet), walletId: wallet?.id ?? '', size: '10' } },
    { enabled: wallet !== undefined, quiet: true },
  );
}

/** What a deposit into a wallet is called, by its place. */
export function depositType(wallet: Pick<Wallet, 'place'> | undefined): 'chain_deposit' | 'fiat_deposit' {
  return wallet?.place.kind === 'bank' ? 'fiat_deposit' : 'chain_deposit';
}
