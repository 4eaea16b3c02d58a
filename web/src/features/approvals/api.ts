import {
  addRule,
  changeRule,
  checkReviewChange,
  decideApprovals,
  deleteRule,
  getApproval,
  getReviewSetting,
  listApprovals,
  listApprovers,
  listReviewLogs,
  listTodo,
  orderRules,
  setReviewEnabled,
  setReviewOptions,
  withdrawApproval,
} from 'virtual:calls/approvals';
import { adoptApproval, endApproval } from 'virtual:calls/control';
import { sendUserCode } from 'virtual:calls/identity';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';

invalidateOn(['approval'], [listApprovals, getApproval, listTodo]);
invalidateOn(['transaction', 'control', 'organisation'], [getApproval]);
invalidateOn(['approval', 'control', 'organisation'], [getReviewSetting, listReviewLogs]);
invalidateOn(['organisation'], [listApprovers]);
invalidateOn(['control', 'organisation'], [checkReviewChange]);

export function useTask(id: string) {
  return useCall(getApproval, { params: { id } }, { quiet: true });
}

/** What waits for me and what I wait for. */
export function useTodo() {
  return useCall(listTodo, {}, { quiet: true });
}

/** Approves or rejects; repeated after a lost answer it is the same decision. */
export function useDecide() {
  return useMutationCall(decideApprovals, { invalidates: [listApprovals, getApproval, listTodo] });
}

export function useSendCode() {
  return useMutationCall(sendUserCode);
}

/** Takes back what one applied for or proposed oneself. */
export function useWithdraw(onSuccess: () => void) {
  const invalidates = [listApprovals, getApproval, listTodo, getReviewSetting, listReviewLogs];
  return useMutationCall(withdrawApproval, { invalidates, onSuccess });
}

const abandoned = [listApprovals, getApproval, listTodo] as const;

/** An administrator adopts an application whose initiator is no longer active, or ends it. */
export const useAdopt = (onSuccess: () => void) =>
  useMutationCall(adoptApproval, { invalidates: abandoned, onSuccess });
export const useEndApproval = (onSuccess: () => void) =>
  useMutationCall(endApproval, { invalidates: abandoned, onSuccess });

export function useReviewSetting() {
  return useCall(getReviewSetting, { query: {} }, { quiet: true });
}

export function useApprovers(enabled: boolean) {
  return useCall(listApprovers, {}, { quiet: true, enabled });
}

const settings = [getReviewSetting, listReviewLogs, listApprovals, listTodo] as const;

export const useAddRule = () => useMutationCall(addRule, { invalidates: settings });
export const useChangeRule = () => useMutationCall(changeRule, { invalidates: settings });
export const useDeleteRule = () => useMutationCall(deleteRule, { invalidates: settings });
export const useOrderRules = () => useMutationCall(orderRules, { invalidates: settings });
export const useSwitchReview = () => useMutationCall(setReviewEnabled, { invalidates: settings });
export const useReviewOptions = () => useMutationCall(setReviewOptions, { invalidates: settings });

/** Findings of a change before it is saved; what is wrong with it is said by the form itself. */
export const useCheckChange = () => useMutationCall(checkReviewChange, { quiet: true });

/** What is found about the rules as they are, were review on. */
export function useFindingsOnceOn() {
  return useCall(checkReviewChange, { body: { change: { kind: 'switch', enabled: true } } }, { quiet: true });
}
