/**
 * Every error that a person or a program can be told, by key: its stable number and its HTTP status. The sentence for
 * each key stands in the server's catalogues as `error.<key>`, in three languages. Numbers are never used twice.
 */
export const errors = {
  // 1xxx: any call
  unexpected: { code: 1000, status: 500 },
  validationFailed: { code: 1001, status: 400 },
  notFound: { code: 1002, status: 404 },
  noPermission: { code: 1003, status: 403 },
  sessionEnded: { code: 1004, status: 401 },
  idempotencyKeyMissing: { code: 1005, status: 400 },
  idempotencyKeyReused: { code: 1006, status: 409 },
  tooManyRequests: { code: 1007, status: 429 },
  unavailable: { code: 1008, status: 503 },
  bodyTooLarge: { code: 1009, status: 413 },
  unsupportedMediaType: { code: 1010, status: 415 },
  idTaken: { code: 1011, status: 409 },
  cursorInvalid: { code: 1012, status: 400 },

  // 2xxx: identity
  captchaFailed: { code: 2000, status: 400 },
  loginFailed: { code: 2001, status: 400 },
  codeWrong: { code: 2002, status: 400 },
  codeBurnt: { code: 2003, status: 400 },
  loginMethodUnavailable: { code: 2004, status: 400 },
  invitationInvalid: { code: 2005, status: 400 },
  passwordRule: { code: 2006, status: 400 },
  passwordUndecipherable: { code: 2007, status: 400 },
  passwordSame: { code: 2008, status: 400 },
  passwordWrong: { code: 2009, status: 400 },
  mfaAlreadyBound: { code: 2010, status: 409 },
  mfaNotBound: { code: 2011, status: 400 },
  mfaSecretExpired: { code: 2012, status: 400 },
  signInExpired: { code: 2013, status: 400 },
  codeTooSoon: { code: 2014, status: 429 },
  agreementRequired: { code: 2015, status: 400 },
  captchaRequired: { code: 2016, status: 400 },
  passkeyRefused: { code: 2030, status: 400 },
  passkeyExpired: { code: 2031, status: 400 },
  passkeySuspected: { code: 2032, status: 409 },
  passkeyExists: { code: 2033, status: 409 },
  passkeyNone: { code: 2034, status: 400 },
  tooManyPasskeys: { code: 2035, status: 409 },
  recoveryCodeWrong: { code: 2036, status: 400 },

  // 3xxx: files
  fileTooLarge: { code: 3000, status: 413 },
  fileTypeNotAllowed: { code: 3001, status: 415 },
  fileEmpty: { code: 3002, status: 400 },
  storageFull: { code: 3004, status: 507 },

  // 4xxx: payees
  payeeNotFound: { code: 4000, status: 404 },
  payeeExists: { code: 4001, status: 409 },
  payeeUnusable: { code: 4002, status: 409 },
  addressInvalid: { code: 4003, status: 400 },
  addressChecksum: { code: 4004, status: 400 },
  addressOwn: { code: 4005, status: 400 },

  // 5xxx: chains, wallets, rates
  chainUnknown: { code: 5000, status: 400 },
  coinNotOnChain: { code: 5001, status: 400 },
  walletFrozen: { code: 5002, status: 409 },
  walletNotFound: { code: 5003, status: 404 },
  rateStale: { code: 5004, status: 503 },
  feeTypeUnavailable: { code: 5005, status: 400 },

  // 6xxx: money and transfers
  insufficientBalance: { code: 6000, status: 409 },
  amountFormat: { code: 6001, status: 400 },
  amountTooManyDecimals: { code: 6002, status: 400 },
  amountTooLarge: { code: 6003, status: 400 },
  amountBelowMinimum: { code: 6004, status: 400 },
  amountAboveBalanceMinusFee: { code: 6005, status: 409 },
  transferNotCancellable: { code: 6006, status: 409 },
  transferNotOwn: { code: 6007, status: 403 },
  transferCodeMismatch: { code: 6008, status: 400 },
  rechargeBelowMinimum: { code: 6009, status: 400 },
  feeChanged: { code: 6010, status: 409 },
  exportTooLarge: { code: 6011, status: 400 },

  // 70xx: organisation
  memberNotFound: { code: 7000, status: 404 },
  memberEmailTaken: { code: 7001, status: 409 },
  memberEmailFixed: { code: 7002, status: 409 },
  memberIsSelf: { code: 7003, status: 409 },
  lastAdministrator: { code: 7004, status: 409 },
  authorityExceeded: { code: 7005, status: 403 },
  memberActivated: { code: 7006, status: 409 },
  memberNotActive: { code: 7007, status: 409 },
  activationInvalid: { code: 7008, status: 400 },
  deputyUnsuitable: { code: 7009, status: 400 },
  departmentNotFound: { code: 7010, status: 404 },
  departmentExists: { code: 7011, status: 409 },
  departmentInUse: { code: 7012, status: 409 },
  departmentCycle: { code: 7013, status: 409 },
  departmentTooDeep: { code: 7014, status: 409 },
  memberHasDepartment: { code: 7015, status: 409 },
  roleNotFound: { code: 7020, status: 404 },
  roleExists: { code: 7021, status: 409 },
  roleInUse: { code: 7022, status: 409 },
  roleIsSystem: { code: 7023, status: 409 },
  roleInactive: { code: 7024, status: 409 },
  codeForAdministrator: { code: 7030, status: 400 },
  // 72xx: risk
  riskRefused: { code: 7200, status: 409 },
  riskPolicyNotFound: { code: 7201, status: 404 },
  riskPolicyChanged: { code: 7202, status: 409 },
  riskPolicyLimit: { code: 7203, status: 409 },
  currencyUnknown: { code: 7204, status: 400 },
  listEntryNotFound: { code: 7210, status: 404 },
  listEntryExists: { code: 7211, status: 409 },
  listEntryOnOtherList: { code: 7212, status: 409 },
  bankAccountInvalid: { code: 7213, status: 400 },
  ibanChecksum: { code: 7214, status: 400 },
  listImportRefused: { code: 7220, status: 409 },
  listImportUnreadable: { code: 7221, status: 400 },
  listImportTooLong: { code: 7222, status: 400 },
  accountBlacklisted: { code: 7223, status: 409 },
  // 73xx: audit log and notices
  auditRangeOnly: { code: 7300, status: 400 },
  auditUnsigned: { code: 7301, status: 503 },
  auditNothing: { code: 7302, status: 404 },
  noticeMailFixed: { code: 7310, status: 409 },
  // 71xx: approvals
  approverExists: { code: 7100, status: 400 },
  approvalNoRule: { code: 7101, status: 409 },
  approvalNobodyCan: { code: 7102, status: 409 },
  approvalOwn: { code: 7103, status: 403 },
  approvalOverLimit: { code: 7104, status: 403 },
  approvalReasonRequired: { code: 7105, status: 400 },
  approvalNotPending: { code: 7106, status: 409 },
  approvalNotApprover: { code: 7107, status: 403 },
  approvalAlreadyDecided: { code: 7108, status: 409 },
  approvalVoided: { code: 7109, status: 409 },
  approvalStopped: { code: 7110, status: 409 },
  reviewChanged: { code: 7111, status: 409 },
  tooManyRules: { code: 7112, status: 400 },
  approvalRulesHeld: { code: 7113, status: 409 },
  approvalNotOwn: { code: 7114, status: 403 },
} as const satisfies Record<string, { code: number; status: number }>;

export type ErrorKey = keyof typeof errors;

/** Values that fill the blanks of an error's sentence, e.g. the minimum and its coin. */
export type ErrorDetails = Record<string, string | number>;

/** Errors that any call may answer, whatever it declares. */
export const commonErrors = [
  'unexpected',
  'validationFailed',
  'tooManyRequests',
  'unavailable',
  'bodyTooLarge',
  'unsupportedMediaType',
] as const satisfies readonly ErrorKey[];
