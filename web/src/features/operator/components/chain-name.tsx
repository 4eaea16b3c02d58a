import { listOperatorTransactionFilters } from 'virtual:calls/operator-transactions';
import { useCall } from '../../../lib/queries.ts';

/** What a chain is called, by its id; one that this installation has no more keeps its id. */
export function ChainName({ id }: { id: string }) {
  return useChainName()(id);
}

/** Names chains by their ids; empty until they are known. */
export function useChainName(): (id: string) => string {
  const { data } = useCall(listOperatorTransactionFilters, {}, { quiet: true });
  return (id) => (data === undefined ? '' : (data.chains.find((chain) => chain.id === id)?.name ?? id));
}
