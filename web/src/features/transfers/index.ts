export {
  type AmountProblem,
  type AmountRules,
  amountProblem,
  mostThatCanBeSent,
  plain,
  reckon,
} from './amounts.ts';
export { useWithdrawFee } from './api.ts';
export { uploadAttachment } from './attachments.ts';
export { AccelerateDeposit } from './components/accelerate-deposit.tsx';
export { CancelTransfer } from './components/cancel-transfer.tsx';
export { NetworkFeeChoice } from './components/network-fee-choice.tsx';
export { ReferenceFields } from './components/reference-fields.tsx';
export { RepeatTransfer } from './components/repeat-transfer.tsx';
export { RefusalNote, ReviewNote } from './components/review-note.tsx';
export { SpeedUpTransfer } from './components/speed-up-transfer.tsx';
export { TransferCode } from './components/transfer-code.tsx';
export { TransferTie } from './components/transfer-tie.tsx';
export { useTransactionCode } from './components/use-transaction-code.ts';
export { isBlocked, useForeseenReview } from './foreseen-review.ts';
export { feeProblemOf, rememberedLevel, useNetworkFees } from './network-fees.ts';
export { amountTexts } from './transfer-values.ts';
