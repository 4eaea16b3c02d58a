import {
  activateCard,
  changeCard,
  closeCard,
  freezeCard,
  getCard,
  issueCard,
  listCards,
  replaceCard,
  revealCard,
  unfreezeCard,
} from 'virtual:calls/cards';
import { listCardRules, removeCardRule, setCardRule } from 'virtual:calls/cards-limits';
import {
  addCardReceipt,
  exportCardReceipts,
  getCardStatement,
  listCardPayments,
  removeCardReceipt,
  uploadCardReceipt,
  waiveCardReceipt,
} from 'virtual:calls/cards-payments';
import { sendUserCode } from 'virtual:calls/identity';
import { download } from '../../lib/download.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

const shown = [listCards, getCard, listCardPayments, listCardRules] as const;
invalidateOn(['card'], shown);
invalidateOn(['balance'], [getCard]);
const changes = { invalidates: shown };
/** Its refusals are the form's to say. */
const inForm = { ...changes, quiet: true };

export function useCard(id: string) {
  return useCall(getCard, { params: { id } }, { quiet: true });
}

/** Whether an issuer is connected, and what of the reader's own needs them. */
export function useCardSummary() {
  return useCall(listCards, { query: { size: '10' } }, { quiet: true }).data;
}

export function useRules() {
  return useCall(listCardRules, {}, { quiet: true });
}

/** Cards by name, for filters. */
export function useCardChoices() {
  return useCall(listCards, { query: { size: '100' } }, { quiet: true }).data?.items ?? [];
}

export const useSendCode = () => useMutationCall(sendUserCode);
export const useIssue = () => useMutationCall(issueCard, inForm);
export const useChange = () => useMutationCall(changeCard, inForm);
export const useActivate = () => useMutationCall(activateCard, inForm);
export const useReplace = () => useMutationCall(replaceCard, inForm);
export const useReveal = () => useMutationCall(revealCard, { quiet: true });
export const useSetRule = () => useMutationCall(setCardRule, inForm);
export const useAddReceipt = () => useMutationCall(addCardReceipt, inForm);
export const useWaive = () => useMutationCall(waiveCardReceipt, inForm);

export const useFreeze = () => useMutationCall(freezeCard, changes);
export const useUnfreeze = () => useMutationCall(unfreezeCard, changes);
export const useClose = () => useMutationCall(closeCard, changes);
export const useRemoveRule = () => useMutationCall(removeCardRule, changes);
export const useRemoveReceipt = () => useMutationCall(removeCardReceipt, changes);

export function uploadReceipt(file: File, { signal, onProgress }: UploadOptions) {
  return upload(uploadCardReceipt, file, { ...(signal && { signal }), ...(onProgress && { onProgress }) });
}

interface Period {
  from: string;
  to: string;
}

export function downloadStatement(id: string, period: Period, format: 'csv' | 'pdf'): Promise<void> {
  return download(getCardStatement, { params: { id }, query: { ...period, format } }, `card-statement.${format}`);
}

export function downloadReceipts(period: Period): Promise<void> {
  return download(exportCardReceipts, { query: period }, 'card-receipts.csv');
}
