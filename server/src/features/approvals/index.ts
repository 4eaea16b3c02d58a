export type { SealedNode } from './domain.ts';
export { registerApprovalsRoutes } from './routes.ts';
export { type Applying, applyDueChanges, startApplyingChanges } from './service/applying.ts';
export type { ApprovalSubject, ApprovalSubjects, ApprovalsCore, Controls, SubjectEnd } from './service/core.ts';
export type { DecisionClaims } from './service/decide.ts';
export { describeDecision, describeReview } from './service/describe.ts';
export { type ForeseenRouting, foreseeRouting } from './service/foreseeing.ts';
export { openWork } from './service/leaving.ts';
export { approvalOf } from './service/of-subject.ts';
export { approvalsControls } from './service/options.ts';
export { createSecondPerson } from './service/proposing.ts';
export {
  findRoute,
  type NewTask,
  openTask,
  type RequiredReview,
  type Routing,
  routeTransfer,
  withdrawTask,
} from './service/routing.ts';
export { startTendingApprovals, type TendingApprovals } from './service/tending.ts';
export { countRulesOfRole } from './store/rules.ts';
export { lockTaskOf } from './store/tasks.ts';
