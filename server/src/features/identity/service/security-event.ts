import type { AuditSubjectKind } from '../../../platform/audit/event-declaration.ts';
import type { AuditAction } from '../../../platform/audit/events.ts';
import { type Actor, audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce } from '../../../platform/database/outbox.ts';
import type { RequestContext } from '../../../platform/session.ts';
import { identityEvents, type SecurityEvent, type SecurityEventKind } from '../events.ts';

/** Browsers' names for themselves are kept this long, in characters. */
const userAgentMaxLength = 256;

export function userAgentOf({ userAgent }: RequestContext): string {
  return userAgent.slice(0, userAgentMaxLength);
}

/** A change or use of a member's ways to sign in, for the audit trail and for the member. */
export interface SecurityRecord {
  userId: string;
  what: SecurityEventKind;
  /** The audit trail's name for it. */
  action: AuditAction;
  actor: Actor;
  subjectKind?: AuditSubjectKind;
  subjectId?: string;
  detail?: Record<string, unknown>;
}

/** Writes it into the audit trail and announces it, so that its owner gets a mail and a notice. */
export async function recordSecurity(tx: Tx, context: RequestContext, record: SecurityRecord): Promise<void> {
  const { userId, what, action, actor, subjectKind = 'member', subjectId = userId, detail } = record;
  await audit(tx, { actor, action, subjectKind, subjectId, ...(detail ? { detail } : {}) });
  await announceSecurity(tx, context, userId, what);
}

export async function announceSecurity(
  tx: Tx,
  context: RequestContext,
  userId: string,
  what: SecurityEventKind,
): Promise<void> {
  const event: SecurityEvent = {
    userId,
    what,
    at: new Date().toISOString(),
    ip: context.ip,
    userAgent: userAgentOf(context),
  };
  await announce(tx, [{ name: identityEvents.security, payload: { ...event } }]);
}
