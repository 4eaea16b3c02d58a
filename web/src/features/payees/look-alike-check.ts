import { checkAddress } from 'virtual:calls/payees';
import { send } from '../../lib/client.ts';
import { callKey, queryClient } from '../../lib/queries.ts';

/**
 * Whether an address about to be saved has look-alikes that the user has not compared it with: the form may be sent before its
 * address was checked, by Enter, or by a press on the button that comes before the answer. `compared` is the address that was
 * confirmed. What could not be checked, and what the chain refuses, is left to the server.
 */
export async function mustCompare(chain: string, coin: string, address: string, compared: string): Promise<boolean> {
  const input = { query: addressQuery(chain, coin, address) };
  const verdict = await queryClient
    .ensureQueryData({
      queryKey: callKey(checkAddress, input),
      queryFn: () => send(checkAddress, input),
      retry: false,
      // The server says it again, of the payee.
      meta: { quiet: true },
    })
    .catch(() => null);
  return verdict !== null && verdict.lookAlikes.length > 0 && ![address, verdict.address].includes(compared);
}

/** What is asked about an address, once for the field and for the form. */
export function addressQuery(chain: string, coin: string, address: string) {
  return { chain, address, ...(coin !== '' && { coin }) };
}
