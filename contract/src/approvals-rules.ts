/** The words and limits of approving, without a schema library, so that lists and forms can work before the schemas are there. */

/**
 * How a task is shown: money that leaves, an exchange between own wallets, an account that may be paid from then on, or settings before and
 * after. A kind of task has one shape; several kinds may share it.
 */
export const approvalShapes = ['payment', 'exchange', 'batch', 'account', 'change'] as const;
export type ApprovalShape = (typeof approvalShapes)[number];

/** What the key of a kind looks like; which kinds there are is data (`approval-kinds.ts`). */
export const approvalKindPattern = /^[a-z][a-z_]{1,39}$/;

/** (decisions, "Approvals and risk") */
export const approvalStatuses = ['pending', 'approved', 'rejected'] as const;
export type ApprovalStatus = (typeof approvalStatuses)[number];

/**
 * How a task ended. `withdrawn`: taken back by its initiator; `expired`: not decided in time; `voided`: what it was about
 * is no longer the same; `stopped`: a control forbade it meanwhile, or a person stopped it; `applied`: a change took effect after its
 * waiting period. `approved` and `applied` have the status `approved`, all others `rejected`.
 */
export const approvalEnds = ['approved', 'rejected', 'withdrawn', 'expired', 'voided', 'stopped', 'applied'] as const;
export type ApprovalEnd = (typeof approvalEnds)[number];

export const approvalOutcomes = ['approved', 'rejected'] as const;
export type ApprovalOutcome = (typeof approvalOutcomes)[number];

/** `all` is for those who may manage rules. */
export const approvalViews = ['initiated', 'pending', 'completed', 'all'] as const;
export type ApprovalView = (typeof approvalViews)[number];

/** Why the reader of a task may not decide on it now. */
export const approvalObstacles = [
  'ended',
  'own',
  'noPermission',
  'notApprover',
  'notYet',
  'alreadyDecided',
  'overLimit',
  'deputyDecides',
  // Came to the right to decide after the task began.
  'tooNew',
  // The initiator gave them the right, and the company forbids such decisions.
  'grantedByInitiator',
  // The initiator is no longer active: an administrator must adopt it or end it first.
  'initiatorLeft',
  // The reader has adopted it.
  'adopted',
  // The change is about the reader.
  'concerned',
] as const;
export type ApprovalObstacle = (typeof approvalObstacles)[number];

export const approverKinds = ['person', 'role'] as const;
export type ApproverKind = (typeof approverKinds)[number];

/** Whom a rule may be for. A department means it and all below it. */
export const submitterKinds = ['person', 'role', 'department'] as const;
export type SubmitterKind = (typeof submitterKinds)[number];

export const findingKinds = [
  'overlap',
  'gap',
  'shadowed',
  'approverOverLimit',
  'approverOnLeave',
  'approverInactive',
  'approverMayNotDecide',
  'roleEmpty',
  'roleInactive',
  'nodeCannotPass',
  'nobodyCanApprove',
  'submitterGone',
  'nobodySubmits',
] as const;
export type FindingKind = (typeof findingKinds)[number];

/** `problem`: transfers will be refused or get stuck; `warning`: it works, and may not be what was meant. */
export const findingSeverities = ['problem', 'warning'] as const;
export type FindingSeverity = (typeof findingSeverities)[number];

/** What the log of approval settings records. */
export const reviewLogActions = [
  'ruleAdded',
  'ruleChanged',
  'ruleDeleted',
  'rulesOrdered',
  'reviewEnabled',
  'reviewDisabled',
  'optionsChanged',
  'changeProposed',
  'changeEnded',
] as const;
export type ReviewLogAction = (typeof reviewLogActions)[number];

export const ruleNameMaxLength = 60;
export const maxRules = 100;
export const maxRuleNodes = 10;
export const maxNodeApprovers = 20;
/** Members, roles and departments that one rule is for. */
export const maxRuleSubmitters = 50;
export const opinionMaxLength = 500;
/** Tasks that one request may decide. */
export const maxDecidedAtOnce = 50;
/** Tasks that the to-do list shows in full. */
export const maxTodoItems = 50;

export const expiryDaysDefault = 7;
export const expiryDaysMax = 60;
export const reminderHoursDefault = 24;
export const reminderHoursMax = 168;
