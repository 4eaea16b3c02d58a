export { RiskExplanation } from './components/risk-explanation.tsx';
export { RiskFrame } from './components/risk-frame.tsx';
export { ManyField } from './components/several-field.tsx';
