import { DomainError } from '../../platform/domain-error.ts';
import { createInvitation, listInvitations, revokeInvitation } from '../identity/index.ts';
import type { CommandContext } from './service.ts';

const dayMs = 86_400_000;

/** Makes an invitation code; it is shown this once. */
export async function inviteCompany(context: CommandContext, label: string, days: number) {
  const expiresAt = new Date(Date.now() + days * dayMs);
  return createInvitation(context.database, { label, expiresAt, operator: context.operator });
}

export function showInvitations(context: CommandContext) {
  return listInvitations(context.database);
}

/** @throws DomainError notFound when it is unknown, used or revoked */
export async function withdrawInvitation(context: CommandContext, id: string) {
  if (!(await revokeInvitation(context.database, id, context.operator))) throw new DomainError('notFound');
  return { id, revoked: true };
}
