/** What identity announces. */
export const identityEvents = {
  /** A company and its first administrator are made: `CompanyCreated`. */
  companyCreated: 'organisation.companyCreated',
  /** A code is to be mailed: `CodeRequested`. */
  codeRequested: 'identity.codeRequested',
  /** The way in which a member signs in has changed, or was used in a way that its owner should know of: `SecurityEvent`. */
  security: 'identity.security',
  /** The link of an activation or reset is to be mailed: `ActivationIssued`. */
  activationIssued: 'identity.activationIssued',
} as const;

export interface CompanyCreated {
  companyId: string;
  userId: string;
}

export interface MemberEvent {
  userId: string;
}

export type SecurityEventKind =
  | 'passwordChanged'
  | 'authenticatorBound'
  | 'authenticatorUnbound'
  | 'recoveryCodesRenewed'
  | 'recoveryCodeUsed'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeySuspected'
  | 'newDevice';

/** What happened, when (ISO 8601) and from where. `userAgent` is as the browser sent it, cut to 256 characters. */
export interface SecurityEvent {
  userId: string;
  what: SecurityEventKind;
  at: string;
  ip: string;
  userAgent: string;
}

/** `sealed` is a `CodeLetter` under MAIL_SECRET: neither the outbox nor a queue of jobs shows a code. */
export interface CodeRequested {
  sealed: string;
}

/** `sealed` is an `ActivationLetter` under MAIL_SECRET, as a code's is. */
export interface ActivationIssued {
  sealed: string;
}
