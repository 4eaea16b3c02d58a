import type { TrustedBrowser, UserSession } from '@causeway/contract/identity-account.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { deviceOf } from '../devices.ts';
import { deleteTrustedBrowsers, endMemberSessions, findLiveSessions, findTrustedBrowsers } from '../store/access.ts';

/** Where the person is signed in, and which browsers may skip verification. */

/** The asking one first, then the most recently active. */
export async function listSessions(tx: Tx, context: SignedInContext): Promise<UserSession[]> {
  const { session } = context;
  const rows = await findLiveSessions(tx, session.userId);
  return rows
    .map(({ userAgent, createdAt, lastActiveAt, id, ip }) => ({
      id,
      ...deviceOf(userAgent),
      ip,
      createdAt: createdAt.toISOString(),
      lastActiveAt: lastActiveAt.toISOString(),
      current: id === session.id,
    }))
    .sort((one, other) => Number(other.current) - Number(one.current));
}

/** @throws DomainError notFound */
export async function endOneSession(tx: Tx, context: SignedInContext, { id }: { id: string }): Promise<void> {
  if ((await end(tx, context, { id })) === 0) throw new DomainError('notFound');
}

/** How many there were. */
export async function endOtherSessions(tx: Tx, context: SignedInContext): Promise<{ ended: number }> {
  return { ended: await end(tx, context, { exceptId: context.session.id }) };
}

async function end(tx: Tx, context: SignedInContext, which: Parameters<typeof endMemberSessions>[2]): Promise<number> {
  const { userId } = context.session;
  const ended = await endMemberSessions(tx, userId, which);
  for (const subjectId of ended) {
    await audit(tx, { actor: actorOf(context), action: 'identity.endSession', subjectKind: 'session', subjectId });
  }
  return ended.length;
}

export async function listTrustedBrowsers(tx: Tx, context: SignedInContext): Promise<TrustedBrowser[]> {
  const { session } = context;
  const rows = await findTrustedBrowsers(tx, session.userId);
  return rows.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    ...deviceOf(userAgent),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws DomainError notFound */
export async function removeTrustedBrowser(tx: Tx, context: SignedInContext, { id }: { id: string }): Promise<void> {
  if ((await forget(tx, context, id)) === 0) throw new DomainError('notFound');
}

/** How many there were. */
export async function removeTrustedBrowsers(tx: Tx, context: SignedInContext): Promise<{ removed: number }> {
  return { removed: await forget(tx, context, null) };
}

async function forget(tx: Tx, context: SignedInContext, id: string | null): Promise<number> {
  const { userId } = context.session;
  const removed = await deleteTrustedBrowsers(tx, userId, id);
  for (const subjectId of removed) {
    await audit(tx, {
      actor: actorOf(context),
      action: 'identity.removeTrustedBrowser',
      subjectKind: 'trustedBrowser',
      subjectId,
    });
  }
  return removed.length;
}
