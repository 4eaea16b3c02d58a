import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FilesPorts } from '../../files/index.ts';
import type { PayeesPorts } from '../../payees/index.ts';
import { type BatchRecord, findBatch, lockBatch } from '../store/drafts.ts';

/** What drafts are composed with: the file store, and what saving a payee needs. */
export type DraftsPorts = FilesPorts & PayeesPorts;

/** @throws DomainError batchNotFound */
export async function existing(tx: Tx, id: string): Promise<BatchRecord> {
  const batch = await findBatch(tx, id);
  if (!batch) throw new DomainError('batchNotFound');
  return batch;
}

/**
 * A batch under its lock whose rows may be changed. `version`: what the person saw; null where it does not matter.
 * @throws DomainError batchNotFound, batchSubmitted, batchChanged
 */
export async function editable(tx: Tx, id: string, version: number | null): Promise<BatchRecord> {
  const batch = await lockBatch(tx, id);
  if (!batch) throw new DomainError('batchNotFound');
  if (batch.isSubmitted) throw new DomainError('batchSubmitted');
  if (version !== null && batch.version !== version) throw new DomainError('batchChanged');
  return batch;
}
