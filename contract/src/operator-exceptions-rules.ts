/** The plain rules of the operator's exceptions, without a schema library. Part of the feature operator. */

/** What two operators can do about one payment, address or wallet. Each is a kind of proposal. */
export const exceptionActs = [
  'payment.resend',
  'payment.speedUp',
  'payment.replaceEmpty',
  'payment.abandon',
  'payment.release',
  'unknown.answer',
  'payment.match',
  'payment.book',
  'hold.release',
  'deficit.writeOff',
] as const;
export type ExceptionAct = (typeof exceptionActs)[number];

/**
 * What an act is about. `transaction`: a payment of a company, by its id. `payment`: one that only the chain knows, by the id of its record.
 * `address`: `chain/address`. `wallet`: by its id.
 */
export const exceptionSubjects = ['transaction', 'payment', 'address', 'wallet'] as const;
export type ExceptionSubject = (typeof exceptionSubjects)[number];

/** What each act is about. */
export const actSubjects: Readonly<Record<ExceptionAct, ExceptionSubject>> = {
  'payment.resend': 'transaction',
  'payment.speedUp': 'transaction',
  'payment.replaceEmpty': 'transaction',
  'payment.abandon': 'transaction',
  'payment.release': 'transaction',
  'unknown.answer': 'transaction',
  'payment.match': 'payment',
  'payment.book': 'payment',
  'hold.release': 'address',
  'deficit.writeOff': 'wallet',
};

/** What is open, in the order in which the page shows it: money that is missing or unexplained first. */
export const exceptionKinds = [
  'restoreOpen',
  'paymentUnexplained',
  'addressHeld',
  'transferSuperseded',
  'outcomeUnknown',
  'transferStuck',
  'depositReorganised',
  'companyDeficit',
] as const;
export type ExceptionKind = (typeof exceptionKinds)[number];

/** What became of a payment whose outcome no one knows. */
export const unknownAnswers = ['paid', 'notPaid'] as const;
export type UnknownAnswer = (typeof unknownAnswers)[number];

/** Why an act is not possible at present: the id of a sentence on each side. */
export const exceptionReasons = [
  'ended',
  'noChain',
  'notApproved',
  'resting',
  'inBlock',
  'held',
  'restoring',
  'frozen',
  'switchedOff',
  'behind',
  'changeSpent',
  'begun',
  'notSigned',
  'notOffered',
  'hastened',
  'emptied',
  'noNonce',
  'superseded',
  'notSuperseded',
  'released',
  'settlement',
  'sweep',
  'noProof',
  'decided',
  'notSignable',
  'noMatch',
  'tank',
  'unexplained',
  'accepted',
  'counted',
  'noDeficit',
  'feesShort',
  'changed',
] as const;
export type ExceptionReason = (typeof exceptionReasons)[number];

/** What is wrong with the transaction that is given as proof. */
export const proofProblems = [
  'notFound',
  'notFinal',
  'otherSender',
  'otherNonce',
  'otherPayment',
  'failed',
  'isPayment',
] as const;
export type ProofProblem = (typeof proofProblems)[number];
