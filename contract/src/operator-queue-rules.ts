/** The plain rules of the operator's queue, without a schema library. Part of the feature operator. */

/**
 * What needs somebody of the operator. Each has a source in the server, which says when one begins, what it is about, what to do next, and
 * when it is over. Kinds of parts that come later (banks, cards) are added with them.
 */
export const queueKinds = [
  'transferStuck',
  'paymentUnexplained',
  'addressHeld',
  'restoreOpen',
  'depositReorganised',
  'companyDeficit',
  'walletFrozen',
  'companyFrozen',
  'priceStale',
  'nodeFailing',
  'watcherBehind',
  'gasTankLow',
  'signerFailing',
  'jobGaveUp',
  'mailFailed',
  'auditUnsigned',
  'proposalOpen',
] as const;
export type QueueKind = (typeof queueKinds)[number];

/**
 * `urgent`: money stands still or is missing. `soon`: will become so. `watch`: somebody should know. Items are listed by this, then by age.
 */
export const queueUrgencies = ['urgent', 'soon', 'watch'] as const;
export type QueueUrgency = (typeof queueUrgencies)[number];

/**
 * `cause`: ends by itself when its cause is gone, and cannot be closed before. `judgement`: somebody closes it with a reason, since no query
 * can tell whether it was dealt with.
 */
export const queueEndings = ['cause', 'judgement'] as const;

export const queueRules: Record<QueueKind, { urgency: QueueUrgency; ends: (typeof queueEndings)[number] }> = {
  transferStuck: { urgency: 'urgent', ends: 'cause' },
  paymentUnexplained: { urgency: 'urgent', ends: 'cause' },
  addressHeld: { urgency: 'urgent', ends: 'cause' },
  restoreOpen: { urgency: 'urgent', ends: 'cause' },
  depositReorganised: { urgency: 'urgent', ends: 'judgement' },
  companyDeficit: { urgency: 'urgent', ends: 'cause' },
  walletFrozen: { urgency: 'soon', ends: 'cause' },
  companyFrozen: { urgency: 'soon', ends: 'cause' },
  priceStale: { urgency: 'urgent', ends: 'cause' },
  nodeFailing: { urgency: 'soon', ends: 'cause' },
  watcherBehind: { urgency: 'urgent', ends: 'cause' },
  gasTankLow: { urgency: 'soon', ends: 'cause' },
  signerFailing: { urgency: 'urgent', ends: 'cause' },
  jobGaveUp: { urgency: 'urgent', ends: 'judgement' },
  mailFailed: { urgency: 'watch', ends: 'judgement' },
  auditUnsigned: { urgency: 'soon', ends: 'cause' },
  proposalOpen: { urgency: 'soon', ends: 'cause' },
};

export const queueStates = ['open', 'resolved'] as const;
export const queueCommentMaxLength = 2000;
