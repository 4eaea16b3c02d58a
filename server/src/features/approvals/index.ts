export type { SealedNode } from './domain.ts';
export type { ApprovalSubject, ApprovalSubjects, SubjectEnd } from './service/core.ts';
export type { DecisionClaims } from './service/decide.ts';
export {
  type NewTask,
  openTask,
  type RequiredReview,
  type Routing,
  routeTransfer,
  withdrawTask,
} from './service/routing.ts';
