export { RiskFrame } from './components/risk-frame.tsx';
