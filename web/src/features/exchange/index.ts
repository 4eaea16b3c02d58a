export { CancelExchange } from './components/cancel-exchange.tsx';
