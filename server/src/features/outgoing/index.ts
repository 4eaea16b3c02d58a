export { type BankTerms, readTerms, writeTerms } from './bank-terms.ts';
export {
  type ApprovedSubject,
  type AuthorisationClaims,
  type SealedReview,
  stagesUnderWay,
  subjectKindOf,
  unsentStages,
} from './domain.ts';
export { outgoingEvents } from './events.ts';
export { createOutgoingJobs } from './jobs.ts';
export {
  kindOf,
  kindsByType,
  type OutgoingKind,
  type OutgoingKinds,
  type PaymentContent,
  type SubmittedKind,
} from './kind.ts';
export type { PreparedPayment, Rail } from './rail.ts';
export { approvalEnds, recheckRisk, riskEvidence } from './service/approve.ts';
export { cancelPayment } from './service/cancel.ts';
export { type DecidedPayments, enterJoined, giveBackJoined, holdJoined } from './service/enter-joined.ts';
export { handOverPayment, type OutgoingDependencies, sendPayment } from './service/hand-over.ts';
export { leavingOf } from './service/leaving.ts';
export { paymentParts } from './service/payment-parts.ts';
export { givenBackTo, heldFor, type PaymentEnd, refuse, release, releaseAll } from './service/release.ts';
export { fail, finalKind, reopen, settle, takeBack } from './service/settle.ts';
export { type OpenSubmissions, openSubmissions, submitAll, submitPayments } from './service/submit.ts';
export {
  foreseeJoined,
  type Joined,
  type JoinedOutcome,
  type JoinedRefusal,
  openJoined,
  submitJoined,
  valueOfAll,
} from './service/submit-joined.ts';
export { usdCentsOf } from './service/value.ts';
export { isAuthorised, type StoredPayment } from './signing/authorise.ts';
export { type ExchangeClaims, exchangeClaims } from './signing/exchange-claims.ts';
export { type BankPart, holdSwitches, insertPaymentParts, readAttachmentIds } from './store/payments.ts';
export type {
  Accepted,
  Applicant,
  Proofs,
  Submission,
  SubmissionParts,
  SubmitPorts,
  Submitted,
  SubmittedPayment,
} from './submission.ts';
