import type { TransactionDetail } from '@causeway/contract/transactions.ts';
import type { Tx } from '../../../platform/database/database.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { approvalOf } from '../../approvals/index.ts';
import type { TransactionParts } from '../../transactions/index.ts';
import { findBatchesOfRuns } from '../store/run-heads.ts';
import { findEntriesOf, findEntryOf } from '../store/runs.ts';

/** What batches know of a transaction. */

export async function batchOf(tx: Tx, transactionId: string): Promise<TransactionDetail['batch']> {
  const entry = await findEntryOf(tx, transactionId);
  if (!entry) return null;
  const { batchId: id, batchName: name, runId, runNumber, rowNumber: row } = entry;
  return { id, name, runId, runNumber, row };
}

/** By the ids of those that pay a row of a batch, its name and the row's number. */
export async function batchesOf(tx: Tx, transactionIds: readonly string[]): ReturnType<TransactionParts['batchesOf']> {
  const entries = await findEntriesOf(tx, transactionIds);
  return new Map(
    entries.map(({ transactionId, batchName: name, rowNumber: row }) => [transactionId, { name, row }] as const),
  );
}

/** By the ids of runs, which are the sources of the postings that hold their rows before they are entered, the batch. */
export async function batchesOfRuns(
  tx: Tx,
  runIds: readonly string[],
): Promise<ReadonlyMap<string, { id: string; name: string }>> {
  if (runIds.length === 0) return new Map();
  const batches = await findBatchesOfRuns(tx, runIds);
  return new Map(batches.map(({ runId, ...batch }) => [runId, batch]));
}

/** The approval of the run that it is part of; null: it is of none, or none was asked for. */
export async function runApprovalOf(
  tx: Tx,
  transactionId: string,
  reader: Pick<SignedInContext, 'session' | 'locale'>,
): ReturnType<typeof approvalOf> {
  const entry = await findEntryOf(tx, transactionId);
  return entry && approvalOf(tx, 'batch', entry.runId, reader);
}
