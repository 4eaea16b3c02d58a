/**
 * Which calls change what a company's dual control rests on (docs/FOUR_EYES.md), without a schema library. A change that widens who
 * can approve, who can change controls, or what can leave takes effect by a second person's consent or after a waiting period.
 */

/** Calls that may widen, other than those of the approval rules; each is also the kind of the pending change it makes. */
export const controlKinds = [
  'addMember',
  'editMember',
  'setMemberStatus',
  'setMemberLeave',
  'resetMemberPassword',
  'editRole',
  'setCompanySettings',
  'addListEntry',
  'editListEntry',
  'deleteListEntry',
  'importNamelist',
  'setRiskSetting',
  'addRiskPolicy',
  'editRiskPolicy',
  'deleteRiskPolicy',
  'moveRiskPolicy',
  'setRiskPolicyStatus',
  'setReviewOptions',
  'issueCard',
  'changeCard',
  'setCardRule',
  'removeCardRule',
] as const;
export type ControlKind = (typeof controlKinds)[number];

/** Changes of the approval rules. */
export const ruleCalls = ['addRule', 'changeRule', 'deleteRule', 'orderRules', 'setReviewEnabled'] as const;

/**
 * Every call that writes and does not widen. `narrows`: takes away who can do something or what can leave, at once. `neither`: touches
 * no control. A test holds that each writing call is here, in `controlKinds` or in `ruleCalls`, and in one of them only.
 */
export const otherCalls: Readonly<Record<string, 'narrows' | 'neither'>> = {
  deleteMember: 'narrows',
  stopChange: 'narrows',
  withdrawApproval: 'narrows',
  endApproval: 'narrows',
  // A role gives nothing before a member holds it, and giving it to a member is `addMember` or `editMember`.
  addRole: 'neither',
  copyRole: 'neither',
  deleteRole: 'neither',
  // Mails the same address again; another address is `editMember`.
  sendActivation: 'neither',
  // The adopter becomes responsible for the application and cannot approve it.
  adoptApproval: 'neither',
  decideApprovals: 'neither',
  addDepartment: 'neither',
  editDepartment: 'neither',
  deleteDepartment: 'neither',
  addDepartmentMembers: 'neither',
  removeDepartmentMembers: 'neither',
  replayRiskPolicies: 'neither',
  checkReviewChange: 'neither',
  // One's own account, proved by one's own codes.
  prepareCaptcha: 'neither',
  sendRegisterCode: 'neither',
  sendCode: 'neither',
  sendUserCode: 'neither',
  register: 'neither',
  login: 'neither',
  logout: 'neither',
  reportActivity: 'neither',
  setLanguage: 'neither',
  changePassword: 'neither',
  forgetPassword: 'neither',
  checkActivation: 'neither',
  activate: 'neither',
  bindMfa: 'neither',
  unbindMfa: 'neither',
  updateUser: 'neither',
  renewRecoveryCodes: 'neither',
  startPasskey: 'neither',
  addPasskey: 'neither',
  renamePasskey: 'neither',
  removePasskey: 'neither',
  startPasskeyLogin: 'neither',
  loginWithPasskey: 'neither',
  endSession: 'neither',
  endOtherSessions: 'neither',
  removeTrustedBrowser: 'neither',
  removeTrustedBrowsers: 'neither',
  // Work under the controls as they are.
  uploadFile: 'neither',
  transferOut: 'neither',
  fiatTransferOut: 'neither',
  createPayment: 'neither',
  createCryptoPayment: 'neither',
  quoteCryptoPayment: 'neither',
  addStandingOrder: 'neither',
  // A draft moves nothing; its submission has a code and the rules of every payment.
  submitBatch: 'neither',
  sendBatchAgain: 'neither',
  cancelBatch: 'neither',
  uploadBatch: 'neither',
  addBatch: 'neither',
  mapBatch: 'neither',
  readBatch: 'neither',
  recheckBatch: 'neither',
  mendBatchRow: 'neither',
  addBatchRows: 'neither',
  removeBatchRows: 'neither',
  acceptBatchWarnings: 'neither',
  renameBatch: 'neither',
  discardBatch: 'neither',
  addPayoutTemplate: 'neither',
  editPayoutTemplate: 'neither',
  removePayoutTemplate: 'neither',
  makeTemplateBatch: 'neither',
  schedulePayoutTemplate: 'neither',
  pausePayoutSchedule: 'neither',
  endPayoutSchedule: 'neither',
  saveNewPayees: 'neither',
  confirmTrade: 'neither',
  declineTrade: 'neither',
  releaseTrade: 'neither',
  disputeTrade: 'neither',
  createPaymentRequest: 'neither',
  editPaymentRequest: 'neither',
  cancelPaymentRequest: 'neither',
  acceptPaymentRequest: 'neither',
  askRestOfPaymentRequest: 'neither',
  settlePaymentRequestByHand: 'neither',
  remindOfPaymentRequest: 'neither',
  // A transfer to a payee, under every control of one.
  refundPaymentRequest: 'neither',
  readPublicPaymentRequest: 'neither',
  stopPaymentReminders: 'neither',
  freezeCard: 'narrows',
  closeCard: 'narrows',
  // A freeze is no control: it is lifted by whom it belongs to, and the card then allows what it allowed before.
  unfreezeCard: 'neither',
  activateCard: 'neither',
  // The new card allows what the old one did, which is closed.
  replaceCard: 'neither',
  revealCard: 'neither',
  uploadCardReceipt: 'neither',
  addCardReceipt: 'neither',
  removeCardReceipt: 'neither',
  replaceCardReceipt: 'neither',
  waiveCardReceipt: 'neither',
  stopStandingOrder: 'neither',
  cancelExchange: 'neither',
  cancelPayout: 'neither',
  exchange: 'neither',
  askOtc: 'neither',
  counterOtc: 'neither',
  noteOtc: 'neither',
  withdrawOtc: 'neither',
  quoteExchange: 'neither',
  // Only the initiator's own, and no more than the next block costs.
  speedUpTransfer: 'neither',
  accelerateDeposit: 'neither',
  cancelTransfer: 'neither',
  // A company's word that it has paid credits nothing.
  announceRecharge: 'neither',
  withdrawRecharge: 'neither',
  addCryptoPayee: 'neither',
  editCryptoPayee: 'neither',
  deleteCryptoPayee: 'neither',
  addBankPayee: 'neither',
  // Administrators are notified, and the payee is marked; where new payees need approval, the new account does.
  editBankPayee: 'neither',
  labelBankPayee: 'neither',
  deleteBankPayee: 'neither',
  checkBankPayee: 'neither',
  deleteCategory: 'neither',
  saveFilter: 'neither',
  deleteSavedFilter: 'neither',
  readNotices: 'neither',
  readAllNotices: 'neither',
  deleteNotices: 'neither',
  deleteReadNotices: 'neither',
  setNoticePreferences: 'neither',
  setAlerts: 'neither',
  // Who is alerted of what stops nothing and lets nothing through.
  watchWallet: 'neither',
  addRateAlert: 'neither',
  removeRateAlert: 'neither',
  dismissFirstSteps: 'neither',
  // Lets what the company may read anyway out to an address of its own, by a code and with a notice to its administrators; no money (docs/adr/0097-…).
  addWebhook: 'neither',
  editWebhook: 'neither',
  moveWebhook: 'neither',
  setWebhookEnabled: 'neither',
  removeWebhook: 'neither',
  revealWebhookSecret: 'neither',
  rotateWebhookSecret: 'neither',
  endWebhookSecret: 'neither',
  testWebhook: 'neither',
  resendWebhook: 'neither',
  resendFailedWebhooks: 'neither',
};

/** How long a change waits where there is no second person, in hours. */
export const waitingHoursDefault = 24;
export const waitingHoursMax = 168;

/** For so many days it is shown on a decision that the task's initiator gave the approver their right. */
export const grantedByInitiatorDays = 30;

/**
 * What happens to a change that widens: `applies` at once (a company that never had review on and has no second person), waits for a
 * second person's `consent`, `waits` until a time, or is refused while approval rules are `held`.
 */
export const controlModes = ['applies', 'consent', 'waits', 'held'] as const;
export type ControlMode = (typeof controlModes)[number];
