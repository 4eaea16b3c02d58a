import { getOperatorTransaction, listOperatorTransactionFilters } from 'virtual:calls/operator-transactions';
import { useCall } from '../../lib/queries.ts';

/** What is on its way changes without the reader. */
const pending_ms = 5000;

/** One transaction with all that the operator sees of it; read again while it is on its way. */
export function usePayment(id: string) {
  return useCall(
    getOperatorTransaction,
    { params: { id } },
    { quiet: true, again_ms: ({ transaction }) => (transaction.status === 'pending' ? pending_ms : null) },
  );
}

/** The assets and chains of the installation. */
export function usePaymentFilters() {
  return useCall(listOperatorTransactionFilters, {}, { quiet: true });
}
