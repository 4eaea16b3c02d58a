export { CancelTransfer } from './components/cancel-transfer.tsx';
