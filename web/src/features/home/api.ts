import { dismissFirstSteps, getFirstSteps } from 'virtual:calls/home';
import { listTransactions } from 'virtual:calls/transactions';
import { getHistory } from 'virtual:calls/wallets';
import type { Output } from '@causeway/contract/call.ts';
import type { HistoryPeriod } from '@causeway/contract/history-rules.ts';
import type { getHistory as history } from '@causeway/contract/wallets.ts';
import { invalidateOn, pricesRefresh_ms } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

export type History = Output<typeof history>;

invalidateOn(['balance'], [getHistory]);
invalidateOn(['transaction'], [listTransactions]);
invalidateOn(['payee', 'approval', 'control', 'transaction', 'organisation', 'account'], [getFirstSteps]);

/** The company's figures of now with the days before them: one question, so that they are of the same moment. */
export function useHistory(days: HistoryPeriod) {
  return useCall(
    getHistory,
    { query: { days } },
    { quiet: true, keepPrevious: true, refetchInterval_ms: pricesRefresh_ms },
  );
}

export function useRecentTransactions() {
  return useCall(listTransactions, { query: { size: '10' } }, { quiet: true });
}

/** Always asked again: steps are done on other pages and by other people. */
export function useFirstSteps() {
  return useCall(getFirstSteps, {}, { quiet: true, staleTime_ms: 0 });
}

export function useDismissFirstSteps(onSuccess: (dismissed: boolean) => void) {
  return useMutationCall(dismissFirstSteps, {
    invalidates: [getFirstSteps],
    onSuccess: ({ dismissed }) => onSuccess(dismissed),
  });
}

/** Whether first steps that are still to be done were hidden by the reader, and the way to show them again. */
export function useHiddenFirstSteps(onShown: () => void) {
  const { data } = useFirstSteps();
  const show = useDismissFirstSteps(onShown);
  const isHidden = data?.dismissed === true && data.steps.some(({ state }) => state !== 'done');
  return { isHidden, show: () => show.mutate({ body: { dismissed: false } }) };
}
