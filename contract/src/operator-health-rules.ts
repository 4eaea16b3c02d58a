/** The plain rules of the operator's page of health, without a schema library. Part of the feature operator. */

/** The processes of an installation; each reports every half minute. */
export const processNames = ['main', 'worker', 'signer', 'operator-main'] as const;
export type ProcessName = (typeof processNames)[number];

/** A process that has not reported for so long is missing; one that has not for a day is forgotten. */
export const processSilentSeconds = 120;

/** What is verified every night: the books by themselves, and the books against each chain. */
export const verificationKinds = ['ledger', 'chain', 'bank', 'audit'] as const;
export type VerificationKind = (typeof verificationKinds)[number];
/** `failed`: it could not be compared. */
export const verificationResults = ['agrees', 'differs', 'failed'] as const;
export type VerificationResult = (typeof verificationResults)[number];
/** A verification older than this has missed a night. */
export const verificationLateHours = 30;
