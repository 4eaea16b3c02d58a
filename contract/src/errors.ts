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

  // 3xxx: files
  fileTooLarge: { code: 3000, status: 413 },
  fileTypeNotAllowed: { code: 3001, status: 415 },
  fileEmpty: { code: 3002, status: 400 },
  tooManyAttachments: { code: 3003, status: 400 },
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
