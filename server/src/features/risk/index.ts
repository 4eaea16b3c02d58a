export { accountKey } from './accounts.ts';
export type { AssessedSubject } from './domain.ts';
export { riskEvents } from './events.ts';
export { registerRiskRoutes } from './routes.ts';
export { assess, forget, type RiskVerdict, record, riskSentence, type Weighed, weigh } from './service/assess.ts';
export { explain } from './service/explain.ts';
export { listControls } from './service/list-controls.ts';
export { isBlacklisted } from './service/lists.ts';
export { policyControls } from './service/policy-controls.ts';
