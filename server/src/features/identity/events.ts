/** What identity announces. */
export const identityEvents = {
  /** A company and its first administrator are made: `CompanyCreated`. */
  companyCreated: 'organisation.companyCreated',
  /** A code is to be mailed: `CodeRequested`. */
  codeRequested: 'identity.codeRequested',
  /** The link of an activation or reset is to be mailed: `ActivationIssued`. */
  activationIssued: 'identity.activationIssued',
  /** `MemberEvent` */
  passwordChanged: 'identity.passwordChanged',
  /** `MemberEvent` */
  authenticatorBound: 'identity.authenticatorBound',
} as const;

export interface CompanyCreated {
  companyId: string;
  userId: string;
}

export interface MemberEvent {
  userId: string;
}

/** `sealed` is a `CodeLetter` under MAIL_SECRET: neither the outbox nor a queue of jobs shows a code. */
export interface CodeRequested {
  sealed: string;
}

/** `sealed` is an `ActivationLetter` under MAIL_SECRET, as a code's is. */
export interface ActivationIssued {
  sealed: string;
}
