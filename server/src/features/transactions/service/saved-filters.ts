import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { listSavedFilters, SavedFilter, saveFilter } from '@causeway/contract/transactions.ts';
import { maxSavedFilters } from '@causeway/contract/transactions-rules.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import { newId } from '../../../platform/ids.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { insertSavedFilter, readSavedFilters, removeSavedFilter } from '../store/saved-filters.ts';

export async function savedFilters(
  tx: Tx,
  { session }: Pick<SignedInContext, 'session'>,
): Promise<OutputInput<typeof listSavedFilters>> {
  return readSavedFilters(tx, session.userId);
}

/** @throws DomainError savedFilterExists, tooManySavedFilters, idTaken */
export async function save(
  tx: Tx,
  { session }: Pick<SignedInContext, 'session'>,
  body: Body<typeof saveFilter>,
): Promise<SavedFilter> {
  const kept = await readSavedFilters(tx, session.userId);
  if (kept.length >= maxSavedFilters) throw new DomainError('tooManySavedFilters', { most: maxSavedFilters });
  const filters = Object.fromEntries(
    Object.entries(body.filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
  );
  const filter = { id: body.id ?? newId(), name: body.name, filters };
  try {
    await insertSavedFilter(tx, session.userId, filter);
  } catch (error) {
    const constraint = databaseError(error)?.constraint;
    if (constraint === 'transaction_saved_filter_name') {
      throw new DomainError('savedFilterExists', {}, { name: 'error.savedFilterExists' });
    }
    if (constraint === 'transaction_saved_filter_pkey') throw new DomainError('idTaken');
    throw error;
  }
  return filter;
}

/** @throws DomainError notFound */
export async function deleteSaved(
  tx: Tx,
  { session }: Pick<SignedInContext, 'session'>,
  { id }: { id: string },
): Promise<void> {
  if (!(await removeSavedFilter(tx, session.userId, id))) throw new DomainError('notFound');
}
