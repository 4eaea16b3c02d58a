import { getTransaction } from 'virtual:calls/transactions';
import { invalidateOn } from '../../lib/live.ts';
import { useCall } from '../../lib/queries.ts';

invalidateOn(['transaction'], [getTransaction]);

export function useTransaction(id: string) {
  return useCall(getTransaction, { params: { id } }, { quiet: true });
}
