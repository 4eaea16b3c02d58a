import type { Locale } from '@causeway/contract/locale.ts';
import type { OperatorPermission, OperatorRole } from '@causeway/contract/operator-rules.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Actor } from './audit/record.ts';
import type { Clock } from './clock.ts';
import type { Database } from './database/database.ts';

/** Who is calling: found from the bearer token by identity, enforced by the HTTP room on every call. */
export interface Session {
  id: string;
  companyId: string;
  userId: string;
  /** As shown in timelines and receipts. */
  userName: string;
  permissions: readonly Permission[];
  /** The operator has frozen the company: what `stopsWhileFrozen` names is refused. Absent: not frozen. */
  isFrozen?: boolean;
  /** An operator looks at the company: reads as its administrator does, and is none of its members. */
  isLook?: boolean;
}

/**
 * An operator's session (docs/adr/0069-…). It belongs to no company: `companyId` is the nil UUID, under which the operator's own
 * audit log is, and `permissions` shares no name with those of a company's roles.
 */
export interface OperatorSession extends Omit<Session, 'permissions'> {
  role: OperatorRole;
  permissions: readonly OperatorPermission[];
}

/** A session of either side. */
export type AnySession = Session | OperatorSession;

/** The facts of a request, beside its input; a use case gets them with what its feature was composed with (`withPorts`). */
export interface RequestContext {
  /** The language of this answer, from `accept-language`. */
  locale: Locale;
  ip: string;
  userAgent: string;
  requestId: string;
  clock: Clock;
  /** The request's cookies, and those that the answer sets. Absent outside HTTP. */
  cookies?: Cookies;
}

/**
 * Cookies prove nothing about who calls: the bearer token alone does. All are HttpOnly and SameSite=Strict, and a name with the
 * prefix `__Host-` is sent over HTTPS only (RFC 6265bis, section 4.1.3).
 */
export interface Cookies {
  read(name: string): string | undefined;
  write(name: string, value: string, lifetimeMs: number): void;
}

export interface SignedInContext extends RequestContext {
  session: Session;
}

export interface OperatorContext extends RequestContext {
  session: OperatorSession;
}

/** For what serves both sides: the audit log. */
export interface AnySignedInContext extends RequestContext {
  session: AnySession;
}

/** The context of a use case that opens its transactions itself (`route.open`). */
export interface OpenContext extends SignedInContext {
  database: Database;
}

/**
 * The session of a bearer token; null when there is none or it has ended. `active`: the call shows that the person is at
 * the keyboard (every call but a GET, which pages also make without the user), so the idle minutes begin again.
 */
export type Authenticate<S extends AnySession = Session> = (token: string, active: boolean) => Promise<S | null>;

export function actorOf({ session, ip, requestId }: AnySignedInContext): Actor {
  return { kind: 'role' in session ? 'operator' : 'user', id: session.userId, ip, requestId };
}
