import type { Locale } from '@causeway/contract/locale.ts';
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
}

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

/** The context of a use case that opens its transactions itself (`route.open`). */
export interface OpenContext extends SignedInContext {
  database: Database;
}

/**
 * The session of a bearer token; null when there is none or it has ended. `active`: the call shows that the person is at
 * the keyboard (every call but a GET, which pages also make without the user), so the idle minutes begin again.
 */
export type Authenticate = (token: string, active: boolean) => Promise<Session | null>;

export function actorOf(context: SignedInContext): Actor {
  return { kind: 'user', id: context.session.userId, ip: context.ip, requestId: context.requestId };
}
