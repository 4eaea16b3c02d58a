export { CancelPayout } from './components/cancel-payout.tsx';
