import type { Permission } from './permission.ts';

/**
 * The plain rules of sign-in, without a schema library, so that the sign-in page can check while one types and stay light.
 */

/** (decisions, "Sign-in") The longest password allowed is a server setting (8 to 128), 16 unless configured. */
export const passwordMinLength = 8;
export const passwordMaxLengthDefault = 16;
export const codeLength = 6;
export const idleTimeoutMs = 900_000;
export const activitySampleMs = 500;
export const idleWarningMs = 3_000;
export const codeLifetimeMs = 600_000;
export const codeResendMs = 60_000;
export const skipVerificationDays = 30;

export const recoveryCodeCount = 10;
/** From this many left on, the account page warns. */
export const recoveryCodesFew = 3;
export const passkeysMax = 10;
export const passkeyNameMaxLength = 40;
/** What a person changes about their own sign-in under a proof (`securityProof`). */
export const securityActions = ['unbindAuthenticator', 'renewRecoveryCodes', 'addPasskey', 'removePasskey'] as const;
export type SecurityAction = (typeof securityActions)[number];

export const passwordRules = ['length', 'uppercase', 'lowercase', 'digitOrSymbol'] as const;
export type PasswordRule = (typeof passwordRules)[number];

/** The four-point checklist (decisions, "Sign-in"): which rules the password satisfies. Length counts code points. */
export function checkPassword(password: string): Record<PasswordRule, boolean> {
  return {
    length: [...password].length >= passwordMinLength,
    uppercase: /\p{Lu}/u.test(password),
    lowercase: /\p{Ll}/u.test(password),
    digitOrSymbol: /[^\p{L}\p{M}]/u.test(password),
  };
}

/** What a code of scenario `transaction` can confirm; each kind's content is a schema of its feature (`codeContents`). */
export const codeSubjects = [
  'transfer',
  'payout',
  'cryptoPayout',
  'exchange',
  'standingOrder',
  'batch',
  'trade',
  'card',
  'decision',
  'review',
  'security',
  'webhook',
] as const;
export type CodeSubject = (typeof codeSubjects)[number];

/**
 * What one needs to be mailed a code of a subject: the access of the calls that take it, which each name it (`confirms`). `security`
 * is one's own sign-in.
 */
export const codePermissions: Record<CodeSubject, Permission | 'signed-in'> = {
  transfer: 'transfer.create',
  payout: 'transfer.create',
  cryptoPayout: 'transfer.create',
  exchange: 'exchange.create',
  standingOrder: 'exchange.create',
  batch: 'transfer.create',
  trade: 'transfer.create',
  card: 'signed-in',
  decision: 'approval.decide',
  review: 'rule.manage',
  security: 'signed-in',
  webhook: 'setting.manage',
};
