import { isDeepStrictEqual } from 'node:util';
import type {
  acceptBatchWarnings,
  addBatchRows,
  discardBatch,
  mendBatchRow,
  removeBatchRows,
  renameBatch,
} from '@causeway/contract/batches.ts';
import { maxBatchRows } from '@causeway/contract/batches-rules.ts';
import type { Body, OutputInput, Params } from '@causeway/contract/call.ts';
import { audit } from '../../../platform/audit/record.ts';
import { databaseError, type Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { cleaned } from '../reading/written.ts';
import {
  acceptWarnings,
  deleteRows,
  findWrittenOf,
  insertRows,
  markDiscarded,
  noteEdits,
  raiseVersion,
  renumber,
  setName,
} from '../store/drafts.ts';
import { findRow } from '../store/rows.ts';
import { markDuplicates } from './duplicates.ts';
import { type DraftsPorts, editable, existing } from './ports.ts';
import { giveMeaning } from './read.ts';
import { rowOf } from './view.ts';

type Context = SignedInContext & DraftsPorts;

/** Changes fields of a row. @throws DomainError batchChanged, batchNotFound, batchRowNotFound, batchSubmitted */
export async function mend(
  tx: Tx,
  context: Context,
  { batchId, version, rowId, written }: Body<typeof mendBatchRow>,
): Promise<OutputInput<typeof mendBatchRow>> {
  await editable(tx, batchId, version);
  const [before] = await findWrittenOf(tx, batchId, [rowId]);
  if (!before) throw new DomainError('batchRowNotFound');
  const mended = cleaned({ ...before.written, ...written });
  await giveMeaning(tx, context, batchId, [{ id: rowId, written: mended }]);
  await markDuplicates(tx, batchId);
  if (!isDeepStrictEqual(mended, before.written)) await noteEdits(tx, batchId, { mended: rowId });
  const next = await raiseVersion(tx, batchId);
  await announce(tx, [live('batch', batchId)]);
  const row = await findRow(tx, batchId, rowId);
  invariant(row, 'a row that was mended is there');
  return { version: next, row: rowOf(row, context.locale) };
}

/** Adds rows at the end. @throws DomainError batchChanged, batchNotFound, batchFull, batchSubmitted, idTaken */
export async function addRows(
  tx: Tx,
  context: Context,
  { batchId, version, rows }: Body<typeof addBatchRows>,
): Promise<OutputInput<typeof addBatchRows>> {
  const batch = await editable(tx, batchId, version);
  if (batch.rows + rows.length > maxBatchRows) throw new DomainError('batchFull', { most: maxBatchRows });
  const isRead = batch.readTo >= batch.lastNumber;
  let last = batch.lastNumber;
  if (last + rows.length > maxBatchRows) {
    await renumber(tx, batchId);
    last = batch.rows;
  }
  const added = rows.map(({ id, written }) => ({ id, written: cleaned(written) }));
  try {
    await insertRows(tx, batchId, last, added);
  } catch (error) {
    const constraint = databaseError(error)?.constraint ?? '';
    if (/payout_batch_row_(?:pkey|company_id_id_key)/.test(constraint)) throw new DomainError('idTaken');
    throw error;
  }
  // While the rest of a file is being read these wait for their turn, too.
  if (isRead) {
    await giveMeaning(tx, context, batchId, added);
    await markDuplicates(tx, batchId);
  }
  await noteEdits(tx, batchId, { added: rows.length });
  const next = await raiseVersion(tx, batchId, isRead ? last + rows.length : null);
  await announce(tx, [live('batch', batchId)]);
  return { version: next };
}

/** @throws DomainError batchChanged, batchNotFound, batchRowNotFound, batchSubmitted */
export async function removeRows(
  tx: Tx,
  _context: Context,
  { batchId, version, rows }: Body<typeof removeBatchRows>,
): Promise<OutputInput<typeof removeBatchRows>> {
  await editable(tx, batchId, version);
  await allThere(tx, batchId, rows);
  const removed = await deleteRows(tx, batchId, rows);
  await markDuplicates(tx, batchId);
  await noteEdits(tx, batchId, { removed });
  const next = await raiseVersion(tx, batchId);
  await announce(tx, [live('batch', batchId)]);
  return { version: next, removed };
}

/** @throws DomainError batchChanged, batchNotFound, batchRowNotFound, batchSubmitted */
export async function accept(
  tx: Tx,
  _context: Context,
  { batchId, version, rows }: Body<typeof acceptBatchWarnings>,
): Promise<OutputInput<typeof acceptBatchWarnings>> {
  await editable(tx, batchId, version);
  await allThere(tx, batchId, rows);
  const accepted = await acceptWarnings(tx, batchId, rows);
  const next = await raiseVersion(tx, batchId);
  await announce(tx, [live('batch', batchId)]);
  return { version: next, accepted };
}

/** @throws DomainError batchRowNotFound where one of the rows named is not in the batch */
async function allThere(tx: Tx, batchId: string, rows: readonly string[] | string): Promise<void> {
  if (typeof rows === 'string') return;
  const found = await findWrittenOf(tx, batchId, rows);
  if (found.length < new Set(rows).size) throw new DomainError('batchRowNotFound');
}

/** @throws DomainError batchNotFound */
export async function rename(tx: Tx, _context: Context, { id, name }: Body<typeof renameBatch>): Promise<void> {
  const { isTemplate } = await existing(tx, id);
  // Names of templates have rules of their own.
  if (isTemplate) throw new DomainError('batchNotFound');
  await setName(tx, id, name);
  await announce(tx, [live('batch', id)]);
}

/** @throws DomainError batchNotFound, batchSubmitted */
export async function discard(tx: Tx, context: Context, { id }: Params<typeof discardBatch>): Promise<void> {
  const { name, rows, isTemplate } = await editable(tx, id, null);
  if (isTemplate) throw new DomainError('batchNotFound');
  await markDiscarded(tx, id);
  const detail = { name, rows: String(rows) };
  await audit(tx, { actor: actorOf(context), action: 'batches.discard', subjectKind: 'batch', subjectId: id, detail });
  await announce(tx, [live('batch', id)]);
}
