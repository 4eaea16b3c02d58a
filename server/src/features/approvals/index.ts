export type { SealedNode } from './domain.ts';
export { registerApprovalsRoutes } from './routes.ts';
export { type Applying, applyDueChanges, startApplyingChanges } from './service/apply-due-changes.ts';
export { type Controls, controlChanges } from './service/control-changes.ts';
export type { DecisionClaims } from './service/decide.ts';
export { describeDecision, describeReview } from './service/describe.ts';
export { expireAndRemindJob } from './service/expire-and-remind.ts';
export { newAccounts } from './service/new-accounts.ts';
export { newPayees } from './service/new-payees.ts';
export {
  type NewTask,
  openTasks,
  type RequiredReview,
  type Route,
  type Routing,
  readRoutes,
  requireReview,
  withdrawTask,
} from './service/open-task.ts';
export { createOpenWork, tellOfFrozenMember } from './service/open-work.ts';
export { approvalsControls } from './service/options.ts';
export { bankPayeeApproval, payeeApproval } from './service/payee-approval.ts';
export { foreseeRouting } from './service/preview-route.ts';
export { createSecondPerson } from './service/propose-change.ts';
export { approvalOf, countWaitingFor } from './service/reading.ts';
export { ruleChanges } from './service/rule-changes.ts';
export type {
  ApprovalSubject,
  ApprovalSubjects,
  ApprovalsPorts,
  SubjectBrief,
  SubjectEnd,
  SubjectKind,
} from './service/subjects.ts';
export { countRulesNaming } from './store/rules.ts';
export { lockTaskOf, type TaskSnapshot } from './store/tasks.ts';
