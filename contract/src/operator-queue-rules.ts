/** The plain rules of the operator's queue, without a schema library. Part of the feature operator. */

/**
 * What needs a person of the operator. Each kind has a source in the server, which finds the current causes; the texts of a kind say what is the
 * matter and what to do next. Kinds of later parts (banks, cards) are added with them.
 */
export const queueKinds = [
  'transferStuck',
  'paymentUnexplained',
  'addressHeld',
  'restoreOpen',
  'depositReorganised',
  'companyDeficit',
  'companyFrozen',
  'memberFrozen',
  'solvencyDifference',
  'walletFrozen',
  'priceStale',
  'midUnusable',
  'nodeFailing',
  'watcherBehind',
  'gasTankLow',
  'treasuryShort',
  'treasuryCapped',
  'settlementFailed',
  'batchPaidTwice',
  'signerFailing',
  'serviceFailing',
  'workerSilent',
  'jobGaveUp',
  'mailFailed',
  'moneyUnmatched',
  'bankCharged',
  'bankFailing',
  'bankFileRefused',
  'bankDayMissing',
  'bankEntryDiffers',
  'bankNotBooked',
  'bankOrderUnanswered',
  'bankStatusUnknown',
  'bankRegistryChanged',
  'hedgeUnknown',
  'hedgeRefused',
  'positionNearLimit',
  'venueFailing',
  'venueBalanceLow',
  'otcWaiting',
  'tradeUntold',
  'tradeContradicted',
  'tradeOverdue',
  'cardOverdrawn',
  'cardContradicted',
  'cardEventUnread',
  'cardUnconfirmed',
  'cardNotFound',
  'cardIssuerSilent',
  'cardSettlementBack',
  'tradeOverpaid',
  'auditUnsigned',
  'verificationFailed',
  'proposalOpen',
  'switchedOff',
] as const;
export type QueueKind = (typeof queueKinds)[number];

/**
 * `urgent`: money is delayed or missing. `soon`: it will be. `watch`: good to know. Items are listed by this, then by age.
 */
export const queueUrgencies = ['urgent', 'soon', 'watch'] as const;
export type QueueUrgency = (typeof queueUrgencies)[number];

/**
 * Every item ends when its cause does. `cause`: it cannot be closed before. `judgement`: a person may close it with a reason, since no query
 * can tell whether it was dealt with; it then stays closed.
 */
export const queueEndings = ['cause', 'judgement'] as const;

export const queueRules: Record<QueueKind, { urgency: QueueUrgency; ends: (typeof queueEndings)[number] }> = {
  transferStuck: { urgency: 'urgent', ends: 'cause' },
  paymentUnexplained: { urgency: 'urgent', ends: 'cause' },
  addressHeld: { urgency: 'urgent', ends: 'cause' },
  restoreOpen: { urgency: 'urgent', ends: 'cause' },
  depositReorganised: { urgency: 'urgent', ends: 'judgement' },
  solvencyDifference: { urgency: 'urgent', ends: 'cause' },
  companyDeficit: { urgency: 'urgent', ends: 'cause' },
  companyFrozen: { urgency: 'soon', ends: 'cause' },
  memberFrozen: { urgency: 'watch', ends: 'cause' },
  walletFrozen: { urgency: 'soon', ends: 'cause' },
  priceStale: { urgency: 'urgent', ends: 'cause' },
  midUnusable: { urgency: 'soon', ends: 'cause' },
  nodeFailing: { urgency: 'soon', ends: 'cause' },
  watcherBehind: { urgency: 'urgent', ends: 'cause' },
  gasTankLow: { urgency: 'soon', ends: 'cause' },
  treasuryShort: { urgency: 'urgent', ends: 'cause' },
  treasuryCapped: { urgency: 'urgent', ends: 'cause' },
  settlementFailed: { urgency: 'urgent', ends: 'judgement' },
  batchPaidTwice: { urgency: 'urgent', ends: 'judgement' },
  signerFailing: { urgency: 'urgent', ends: 'cause' },
  serviceFailing: { urgency: 'soon', ends: 'cause' },
  workerSilent: { urgency: 'urgent', ends: 'cause' },
  jobGaveUp: { urgency: 'urgent', ends: 'judgement' },
  mailFailed: { urgency: 'watch', ends: 'judgement' },
  moneyUnmatched: { urgency: 'urgent', ends: 'cause' },
  bankCharged: { urgency: 'soon', ends: 'cause' },
  bankFailing: { urgency: 'urgent', ends: 'cause' },
  bankFileRefused: { urgency: 'urgent', ends: 'judgement' },
  bankDayMissing: { urgency: 'urgent', ends: 'cause' },
  bankEntryDiffers: { urgency: 'urgent', ends: 'judgement' },
  bankNotBooked: { urgency: 'urgent', ends: 'judgement' },
  bankOrderUnanswered: { urgency: 'urgent', ends: 'cause' },
  bankStatusUnknown: { urgency: 'urgent', ends: 'judgement' },
  bankRegistryChanged: { urgency: 'urgent', ends: 'judgement' },
  hedgeUnknown: { urgency: 'urgent', ends: 'cause' },
  hedgeRefused: { urgency: 'soon', ends: 'cause' },
  positionNearLimit: { urgency: 'urgent', ends: 'cause' },
  venueFailing: { urgency: 'urgent', ends: 'cause' },
  venueBalanceLow: { urgency: 'soon', ends: 'cause' },
  otcWaiting: { urgency: 'urgent', ends: 'cause' },
  tradeUntold: { urgency: 'urgent', ends: 'cause' },
  tradeContradicted: { urgency: 'urgent', ends: 'cause' },
  tradeOverdue: { urgency: 'soon', ends: 'cause' },
  cardOverdrawn: { urgency: 'urgent', ends: 'cause' },
  cardContradicted: { urgency: 'urgent', ends: 'judgement' },
  cardEventUnread: { urgency: 'urgent', ends: 'judgement' },
  cardUnconfirmed: { urgency: 'urgent', ends: 'cause' },
  cardNotFound: { urgency: 'soon', ends: 'judgement' },
  cardIssuerSilent: { urgency: 'urgent', ends: 'cause' },
  cardSettlementBack: { urgency: 'urgent', ends: 'judgement' },
  tradeOverpaid: { urgency: 'urgent', ends: 'judgement' },
  auditUnsigned: { urgency: 'soon', ends: 'cause' },
  verificationFailed: { urgency: 'urgent', ends: 'cause' },
  proposalOpen: { urgency: 'soon', ends: 'cause' },
  switchedOff: { urgency: 'watch', ends: 'cause' },
};

export const queueStates = ['open', 'resolved'] as const;
export const queueCommentMaxLength = 2000;
