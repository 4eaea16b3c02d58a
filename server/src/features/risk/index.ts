export type { RiskSubject } from './domain.ts';
export { riskEvents } from './events.ts';
export { assess, forget, type RiskVerdict, riskSentence } from './service/assess.ts';
