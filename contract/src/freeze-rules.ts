/** What the operator can freeze, why, and what a company can still do while it is frozen; without a schema library. */

export const freezeKinds = ['company', 'wallet', 'member'] as const;
export type FreezeKind = (typeof freezeKinds)[number];

/**
 * Why; the company reads it in its language. `asked`: the company asked for it. `authority`: a court or an authority ordered it.
 * `reversal`: a deposit was reversed after it had been spent. `other`: the operator's own words, in each language.
 */
export const freezeReasons = ['asked', 'compromise', 'authority', 'compliance', 'reversal', 'other'] as const;
export type FreezeReason = (typeof freezeReasons)[number];

export const freezeTextMaxLength = 300;
export const freezeNoteMaxLength = 500;

/**
 * The changes that a frozen company's members may still make: of their own account, of what they have read, of their own lists, and
 * what takes back, rejects or checks. An approval of a transfer counts, and the transfer then waits; one of anything else is refused.
 */
export const callsWhileFrozen: ReadonlySet<string> = new Set([
  // One's own account.
  'bindMfa',
  'changePassword',
  'logout',
  'reportActivity',
  'sendUserCode',
  'setLanguage',
  'addPasskey',
  'endOtherSessions',
  'endSession',
  'removePasskey',
  'removeTrustedBrowser',
  'removeTrustedBrowsers',
  'renamePasskey',
  'renewRecoveryCodes',
  'startPasskey',
  'unbindMfa',
  'updateUser',
  // What one has read, and how one reads.
  'deleteNotices',
  'deleteReadNotices',
  'readAllNotices',
  'readNotices',
  'setNoticePreferences',
  'setAlerts',
  'watchWallet',
  'addRateAlert',
  'removeRateAlert',
  'deleteSavedFilter',
  'saveFilter',
  'dismissFirstSteps',
  // Changes nothing.
  'checkReviewChange',
  'replayRiskPolicies',
  // Takes back, or decides on what was asked for before.
  'cancelBatch',
  'cancelExchange',
  'cancelTransfer',
  'declineTrade',
  'disputeTrade',
  'freezeCard',
  'closeCard',
  'withdrawApproval',
  'decideApprovals',
  'endApproval',
  'stopChange',
  'withdrawRecharge',
  'endWebhookSecret',
  'removeWebhook',
  // Off alone: on is refused by itself.
  'setWebhookEnabled',
]);
