import { listReceivingAddresses } from 'virtual:calls/wallets';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';
import { pageSize } from './api.ts';

// Apart from `api.ts`: only chains that give each deposit an address of its own have earlier ones.
invalidateOn(['balance', 'transaction'], [listReceivingAddresses]);

export function useEarlierAddresses(chain: string, cursor: string | null, size: number) {
  return useCall(
    listReceivingAddresses,
    { query: { chain, size: pageSize(size), ...(cursor !== null && { cursor }) } },
    { quiet: true, keepPrevious: true },
  );
}
