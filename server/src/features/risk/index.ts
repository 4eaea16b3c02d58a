export { accountKey } from './accounts.ts';
export type { AssessedSubject } from './domain.ts';
export { riskEvents } from './events.ts';
export { riskJobs } from './jobs.ts';
export { registerRiskRoutes } from './routes.ts';
export { assess, foreseeRisk, forget, forgetAll, riskSentence } from './service/assess.ts';
export { explain } from './service/explain.ts';
export {
  type Judged,
  type Judging,
  type Noted,
  openJudging,
  type RiskVerdict,
  type Weighed,
  writeNoted,
} from './service/judging.ts';
export { listControls } from './service/list-controls.ts';
export { isBlacklisted } from './service/lists.ts';
export { policyControls } from './service/policy-controls.ts';
export { lockRisk, lockRiskBesideQueue } from './store/judging.ts';
export { countPoliciesNaming } from './store/policies.ts';
