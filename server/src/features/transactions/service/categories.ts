import type { OutputInput } from '@causeway/contract/call.ts';
import type { listCategories } from '@causeway/contract/transactions.ts';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { readCategories, removeCategory } from '../store/categories.ts';

export async function categories(tx: Tx): Promise<OutputInput<typeof listCategories>> {
  return readCategories(tx);
}

/** @throws DomainError notFound */
export async function deleteOne(tx: Tx, context: SignedInContext, { id }: { id: string }): Promise<void> {
  const removed = await removeCategory(tx, id);
  if (!removed) throw new DomainError('notFound');
  await audit(tx, {
    actor: actorOf(context),
    action: 'transactions.deleteCategory',
    subjectKind: 'company',
    subjectId: context.session.companyId,
    detail: { category: removed.name },
  });
}
