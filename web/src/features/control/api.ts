import { getApproval, getReviewSetting, listApprovals, listTodo, withdrawApproval } from 'virtual:calls/approvals';
import { getControlMode, listPendingChanges, stopChange } from 'virtual:calls/control';
import type { PendingChange } from '@causeway/contract/control.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

export type { PendingChange };

invalidateOn(['approval', 'control', 'organisation'], [listPendingChanges, getControlMode]);

/** Changes of the controls that have not taken effect, as far as the reader may see them. */
export function usePendingChanges() {
  return useCall(listPendingChanges, {}, { quiet: true });
}

/** What would happen to a change by the reader that widens a control. */
export function useControlMode() {
  return useCall(getControlMode, {}, { quiet: true });
}

const stale = [listPendingChanges, listApprovals, getApproval, listTodo, getReviewSetting] as const;

export const useStopChange = (onSuccess: () => void) => useMutationCall(stopChange, { invalidates: stale, onSuccess });
export const useTakeBack = (onSuccess: () => void) =>
  useMutationCall(withdrawApproval, { invalidates: stale, onSuccess });
