import { getOperatorTrade, listOperatorTrades, resendTradeMessage } from 'virtual:calls/operator-trades';
import type { Output } from '@causeway/contract/call.ts';
import type * as calls from '@causeway/contract/operator-trades.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { refresh_ms } from '../operator/index.ts';

export type TradeCopy = Output<typeof calls.getOperatorTrade>;

export function useOperatorTrade(companyId: string, id: string) {
  return useCall(
    getOperatorTrade,
    { params: { companyId, id } },
    { quiet: true, keepPrevious: true, refetchInterval_ms: refresh_ms },
  );
}

export function useResend() {
  return useMutationCall(resendTradeMessage, { invalidates: [getOperatorTrade, listOperatorTrades] });
}
