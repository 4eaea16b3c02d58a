import type { CodeSubject } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { Database, Tx } from '../../../platform/database.ts';
import type { Session } from '../../../platform/session.ts';
import type { Captcha } from '../captcha.ts';
import type { Limits } from '../domain.ts';
import type { RelyingParty } from '../passkeys.ts';
import type { Passwords } from '../passwords.ts';

/**
 * Reads what a code will confirm, in the company of the person who asked: its digest, and the facts that the mail shows,
 * named in the given language. Throws what the feature's own call would throw for such content.
 */
export type DescribeSubject = (
  tx: Tx,
  session: Session,
  content: Record<string, unknown>,
  locale: Locale,
) => Promise<{ digest: string; facts: readonly CodeFact[] }>;

/** A line of a code's mail; `needs`: the permission without which its reader is not shown it. */
export interface CodeFact {
  label: string;
  value: string;
  needs?: Permission;
}

/**
 * Whom the code of a transfer is mailed to by the company's setting, as ids of administrators; none: to the initiator.
 */
export type FindCodeRecipients = (tx: Tx, initiatorId: string) => Promise<readonly string[]>;

/** Where a member stands in the company, as organisation knows it; names in the given language. */
export type DescribePlace = (
  tx: Tx,
  userId: string,
  locale: Locale,
) => Promise<{ role: string; department: { id: string; name: string } | null }>;

/** What the use cases of identity work with. */
export interface IdentityCore {
  database: Database;
  passwords: Passwords;
  passwordMaxLength: number;
  captcha: Captcha;
  describeSubject: Partial<Record<CodeSubject, DescribeSubject>>;
  describePlace: DescribePlace;
  findCodeRecipients: FindCodeRecipients;
  limits: Limits;
  /** For which site passkeys are made. */
  site: RelyingParty;
  clock: Clock;
  keys: {
    /** For six-digit codes, which anybody could find from a plain hash. */
    code: Buffer;
    /** For addresses, where a table must not tell whose they are. */
    email: Buffer;
    /** Seals authenticators' secrets. */
    totp: Buffer;
    /** Seals codes on their way to the mail job. */
    mail: Buffer;
    /** For tickets of sign-in. */
    ticket: Buffer;
  };
  /** Keys of secrets that a rotation has replaced: recovery codes and authenticators outlive them. */
  previousKeys: { code: readonly Buffer[]; totp: readonly Buffer[] };
}
