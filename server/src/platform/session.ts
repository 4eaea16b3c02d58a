import type { Locale } from '@causeway/contract/locale.ts';
import type { Permission } from '@causeway/contract/permission.ts';
import type { Actor } from './audit.ts';

/** Who is calling: found from the bearer token by identity, enforced by the HTTP room on every call. */
export interface Session {
  id: string;
  companyId: string;
  userId: string;
  /** As shown in timelines and receipts. */
  userName: string;
  permissions: readonly Permission[];
}

/** What every handler is told about its request, beside its input. */
export interface RequestContext {
  /** The language of this answer, from `accept-language`. */
  locale: Locale;
  ip: string;
  userAgent: string;
  requestId: string;
}

export interface SignedInContext extends RequestContext {
  session: Session;
}

/** Turns the SHA-256 of a bearer token into its session; null when there is none or it has ended. */
export type Authenticate = (token: string) => Promise<Session | null>;

export function actorOf(context: SignedInContext): Actor {
  return { kind: 'user', id: context.session.userId, ip: context.ip, requestId: context.requestId };
}
