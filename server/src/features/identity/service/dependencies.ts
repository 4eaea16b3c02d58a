import type { KeyObject } from 'node:crypto';
import type { CodeSubject } from '@causeway/contract/identity.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Clock } from '../../../platform/clock.ts';
import type { CompaniesTx, Database, Tx } from '../../../platform/database/database.ts';
import type { RequestContext, Session, SignedInContext } from '../../../platform/session.ts';
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

/** What a code can confirm, as its feature registers it where the process is put together. */
export interface ConfirmedSubject {
  describe: DescribeSubject;
  /** Its code goes to those whom the company's setting names (`FindCodeRecipients`), not to the person who asks for it. */
  goesToRecipients: boolean;
}

export type ConfirmedSubjects = Readonly<Partial<Record<CodeSubject, ConfirmedSubject>>>;

/** A line of a code's mail; `needs`: the permission without which its reader is not shown it. */
export interface CodeFact {
  label: string;
  value: string;
  /** What the mail's subject says of it. */
  headline?: string;
  needs?: Permission;
}

/** Who is mailed each initiator's code by the company's setting, as ids of administrators in the initiators' order; none: the initiator. */
export type FindCodeRecipients = (
  tx: CompaniesTx,
  initiators: readonly { companyId: string; userId: string }[],
) => Promise<readonly (readonly string[])[]>;

/** A member's role and department, as organisation knows them; names in the given language. */
export type DescribePlace = (
  tx: Tx,
  userId: string,
  locale: Locale,
) => Promise<{ role: string; department: { id: string; name: string } | null }>;

/** What the use cases of identity work with. */
export interface IdentityCore {
  passwords: Passwords;
  passwordMaxLength: number;
  captcha: Captcha;
  confirmed: ConfirmedSubjects;
  describePlace: DescribePlace;
  findCodeRecipients: FindCodeRecipients;
  limits: Limits;
  /** For which site passkeys are made. */
  site: RelyingParty;
  clock: Clock;
  keys: {
    /** For six-digit codes, which anybody could find from a plain hash. */
    code: KeyObject;
    /** For addresses, where a table must not tell whose they are. */
    email: KeyObject;
    /** Seals authenticators' secrets. */
    totp: KeyObject;
    /** Seals codes on their way to the mail job. */
    mail: KeyObject;
    /** For tickets of sign-in. */
    ticket: KeyObject;
  };
  /** Keys of secrets that a rotation has replaced: recovery codes and authenticators outlive them. */
  previousKeys: { code: readonly KeyObject[]; totp: readonly KeyObject[] };
}

/** The same for what opens its transactions itself. */
export type OpenIdentity = IdentityCore & { database: Database };

/** The contexts of identity's use cases: `Member…` with a session, `Open…` where `route.open` leaves the transactions to them. */
export type IdentityContext = RequestContext & IdentityCore;
export type OpenIdentityContext = RequestContext & OpenIdentity;
export type MemberContext = SignedInContext & IdentityCore;
export type OpenMemberContext = SignedInContext & OpenIdentity;
