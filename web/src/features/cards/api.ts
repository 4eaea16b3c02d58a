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
import {
  countMissingCardReceipts,
  downloadCardReceipt,
  exportCardReceiptFiles,
  getCardPayment,
  replaceCardReceipt,
} from 'virtual:calls/cards-receipts';
import { sendUserCode } from 'virtual:calls/identity';
import { download, fetchBlob } from '../../lib/download.ts';
import { invalidateOn } from '../../lib/live.ts';
import { useCall, useMutationCall } from '../../lib/queries.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

const shown = [listCards, getCard, listCardPayments, listCardRules, getCardPayment, countMissingCardReceipts] as const;
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

export function usePayment(id: string) {
  return useCall(getCardPayment, { params: { id } }, { quiet: true });
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
export const useReplaceReceipt = () => useMutationCall(replaceCardReceipt, inForm);
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

/** What cards paid; `zip`: with the receipts themselves. */
export function downloadReceipts(period: Period, format: 'zip' | 'csv'): Promise<void> {
  return format === 'zip'
    ? download(exportCardReceiptFiles, { query: period }, 'card-receipts.zip')
    : download(exportCardReceipts, { query: period }, 'card-receipts.csv');
}

export const fetchReceipt = (id: string): Promise<Blob> => fetchBlob(downloadCardReceipt, { params: { id } });

export const saveReceipt = (id: string, name: string): Promise<void> =>
  download(downloadCardReceipt, { params: { id } }, name);
