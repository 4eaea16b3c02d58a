import type { JsonWebKey, KeyObject } from 'node:crypto';
import type { Clock } from '../../../platform/clock.ts';
import { createSeal, type Seal } from '../../../platform/crypto/seal.ts';
import { deriveKey } from '../../../platform/crypto/secrets.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { OperatorContext, RequestContext } from '../../../platform/session.ts';
import {
  type Captcha,
  createCaptcha,
  createPasswords,
  defaultLimits,
  type Limits,
  type Passwords,
  type RelyingParty,
  relyingPartyOf,
} from '../../identity/index.ts';

/** What the use cases of the operator's console work with. */
export interface ConsoleCore {
  passwords: Passwords;
  passwordMaxLength: number;
  captcha: Captcha;
  limits: Limits;
  /** For which site passkeys are made. */
  site: RelyingParty;
  /** The address under which the operator's people open their console. */
  url: string;
  clock: Clock;
  /** Seals what the signer is to believe of the operator's two people. */
  seal: Seal;
  keys: {
    /** For email addresses, where a table must not tell whose they are. */
    email: KeyObject;
    /** Seals authenticators' secrets. */
    totp: KeyObject;
    ticket: KeyObject;
    /** The secret of an authenticator that is being bound is made from it and the link. */
    enrolment: KeyObject;
    /** Seals what the mail job is given. */
    mail: KeyObject;
  };
  previousKeys: { totp: readonly KeyObject[] };
}

/** Before a session. */
export type VisitorContext = RequestContext & ConsoleCore & { database: Database };
/** With a session, in the transaction that the route opened. */
export type StaffContext = OperatorContext & ConsoleCore;
/** With a session, where the use case opens its transactions itself. */
export type OpenStaffContext = StaffContext & { database: Database };

export interface ConsoleOptions {
  database: Database;
  secret: string;
  /** Earlier secrets: authenticators bound under them still work. */
  previousSecrets?: readonly string[];
  mailSecret: string;
  passwordKey: Record<string, unknown>;
  /** Ed25519, private; the signer has its public half. */
  authorisationKey: JsonWebKey;
  previousPasswordKeys?: readonly Record<string, unknown>[];
  passwordMaxLength: number;
  url: string;
  limits?: Partial<Limits>;
  clock: Clock;
}

/** The names of its counters begin with this: the console's role is admitted to no others. */
export const counterScope = 'operator:';

/** The key that seals the mails of the operator's console, for both ends. */
export function operatorMailKey(secret: string): KeyObject {
  return deriveKey(secret, 'operator-mail');
}

export async function createConsole(options: ConsoleOptions): Promise<ConsoleCore> {
  const { database, secret, previousSecrets = [] } = options;
  return {
    passwords: await createPasswords(options.passwordKey, options.previousPasswordKeys),
    passwordMaxLength: options.passwordMaxLength,
    captcha: createCaptcha(database, deriveKey(secret, 'operator-captcha'), counterScope),
    limits: { ...defaultLimits, ...options.limits },
    site: relyingPartyOf(options.url),
    url: options.url,
    clock: options.clock,
    seal: createSeal(options.authorisationKey),
    keys: {
      email: deriveKey(secret, 'operator-email'),
      totp: deriveKey(secret, 'operator-totp'),
      ticket: deriveKey(secret, 'operator-ticket'),
      enrolment: deriveKey(secret, 'operator-enrolment'),
      mail: operatorMailKey(options.mailSecret),
    },
    previousKeys: { totp: previousSecrets.map((previous) => deriveKey(previous, 'operator-totp')) },
  };
}
