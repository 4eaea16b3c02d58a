import type { Language } from '@causeway/contract/locale.ts';

/**
 * A mail of the operator's console is to be sent. Its payload is a `StaffLetter`, sealed under OPERATOR_MAIL_SECRET: the worker has
 * no right to the operator's tables, and neither the outbox nor a queue shows a link or whose account it is.
 */
export const operatorMail = 'operator.mail';

/** Changes and uses of an operator's ways to sign in that they should know of. */
export type StaffSecurityKind =
  | 'passwordChanged'
  | 'passkeyAdded'
  | 'passkeyRemoved'
  | 'passkeySuspected'
  | 'newDevice';

interface Recipient {
  email: string;
  name: string;
  language: Language;
}

export type StaffLetter =
  | {
      kind: 'invitation' | 'reset';
      to: Recipient;
      /** The address with the link's token. */
      url: string;
      /** Who proposed it. */
      by: string;
      /** ISO 8601; later the link is of no use, and no mail is sent. */
      expiresAt: string;
    }
  | {
      kind: 'security';
      to: Recipient;
      what: StaffSecurityKind;
      /** The address of the operator's console. */
      url: string;
      /** ISO 8601. */
      at: string;
      ip: string;
      userAgent: string;
    };
