export { CancelTransfer } from './components/cancel-transfer.tsx';
export { RepeatTransfer } from './components/repeat-transfer.tsx';
export { TransferTie } from './components/transfer-tie.tsx';
