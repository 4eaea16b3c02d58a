import type { TrustedBrowser, UserSession } from '@causeway/contract/identity-account.ts';
import { audit } from '../../../platform/audit.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { deviceOf } from '../devices.ts';
import { deleteTrustedBrowsers, endMemberSessions, findLiveSessions, findTrustedBrowsers } from '../store/access.ts';
import type { IdentityCore } from './core.ts';

/** Where the person is signed in, and which browsers may skip verification. */

/** The asking one first, then the most recently active. */
export async function listSessions(core: IdentityCore, { session }: SignedInContext): Promise<UserSession[]> {
  const rows = await core.database.withCompany(session.companyId, (tx) => findLiveSessions(tx, session.userId));
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
export async function endOneSession(core: IdentityCore, id: string, context: SignedInContext): Promise<void> {
  if ((await end(core, { id }, context)) === 0) throw new DomainError('notFound');
}

/** How many there were. */
export async function endOtherSessions(core: IdentityCore, context: SignedInContext): Promise<{ ended: number }> {
  return { ended: await end(core, { exceptId: context.session.id }, context) };
}

async function end(
  core: IdentityCore,
  which: Parameters<typeof endMemberSessions>[2],
  context: SignedInContext,
): Promise<number> {
  const { companyId, userId } = context.session;
  return core.database.withCompany(companyId, async (tx) => {
    const ended = await endMemberSessions(tx, userId, which);
    for (const subjectId of ended) {
      await audit(tx, { actor: actorOf(context), action: 'identity.endSession', subjectKind: 'session', subjectId });
    }
    return ended.length;
  });
}

export async function listTrustedBrowsers(core: IdentityCore, { session }: SignedInContext): Promise<TrustedBrowser[]> {
  const rows = await core.database.withCompany(session.companyId, (tx) => findTrustedBrowsers(tx, session.userId));
  return rows.map(({ id, userAgent, createdAt, lastUsedAt, expiresAt }) => ({
    id,
    ...deviceOf(userAgent),
    createdAt: createdAt.toISOString(),
    lastUsedAt: lastUsedAt?.toISOString() ?? null,
    expiresAt: expiresAt.toISOString(),
  }));
}

/** @throws DomainError notFound */
export async function removeTrustedBrowser(core: IdentityCore, id: string, context: SignedInContext): Promise<void> {
  if ((await forget(core, id, context)) === 0) throw new DomainError('notFound');
}

/** How many there were. */
export async function removeTrustedBrowsers(
  core: IdentityCore,
  context: SignedInContext,
): Promise<{ removed: number }> {
  return { removed: await forget(core, null, context) };
}

async function forget(core: IdentityCore, id: string | null, context: SignedInContext): Promise<number> {
  const { companyId, userId } = context.session;
  return core.database.withCompany(companyId, async (tx) => {
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
  });
}
