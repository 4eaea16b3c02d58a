import {
  acceptBatchWarnings,
  addBatch,
  addBatchRows,
  discardBatch,
  getBatch,
  getBatchTemplate,
  listBatches,
  listBatchRows,
  mapBatch,
  mendBatchRow,
  readBatch,
  recheckBatch,
  removeBatchRows,
  renameBatch,
  saveNewPayees,
  uploadBatch,
} from 'virtual:calls/batches';
import type * as contract from '@causeway/contract/batches.ts';
import type { Output } from '@causeway/contract/call.ts';
import { useEffect, useRef, useState } from 'react';
import { send } from '../../lib/client.ts';
import { invalidateOn } from '../../lib/live.ts';
import { callKey, invalidateCall, queryClient, useCall, useMutationCall } from '../../lib/queries.ts';
import { reportError } from '../../lib/report-error.ts';
import { type UploadOptions, upload } from '../../lib/upload.ts';

export type Batch = Output<typeof contract.getBatch>;
export type BatchRow = Output<typeof contract.listBatchRows>['items'][number];
export type Problem = BatchRow['problems'][number];

const draft = [getBatch, listBatchRows, listBatches];

// Whether a payee can be paid is shown beside its rows.
invalidateOn(['batch', 'payee'], draft);
// And in the list, how far its payments are.
invalidateOn(['transaction'], [listBatches]);

export function useBatch(id: string) {
  return useCall(getBatch, { params: { id } }, { quiet: true, keepPrevious: true });
}

export function sendBatchFile(file: File, options: UploadOptions): Promise<Batch> {
  return upload(uploadBatch, file, options);
}

export function useAddBatch() {
  return useMutationCall(addBatch, { invalidates: [listBatches] });
}

export function useMapBatch() {
  return useMutationCall(mapBatch, { invalidates: draft });
}

export function useRenameBatch() {
  return useMutationCall(renameBatch, { invalidates: draft });
}

export function useDiscardBatch(onSuccess: () => void) {
  return useMutationCall(discardBatch, { invalidates: [listBatches], onSuccess });
}

export async function downloadTemplate(): Promise<void> {
  const { download } = await import('../../lib/download.ts');
  await download(getBatchTemplate, {}, 'batch-template.csv').catch(reportError);
}

/**
 * Edits of a batch, one after another, each under the version that the one before made: quick typing does not refuse itself. What another
 * member has changed refuses the edit, and the page shows the batch as it is.
 */
export function useEdits(batch: Batch) {
  const version = useRef(batch.version);
  const last = useRef<Promise<unknown>>(Promise.resolve());
  const [underWay, setUnderWay] = useState(0);
  if (batch.version > version.current) version.current = batch.version;
  const edit = async <T extends { version: number }>(work: (version: number) => Promise<T>): Promise<T | null> => {
    setUnderWay((count) => count + 1);
    const turn = last.current.then(async () => {
      try {
        const made = await work(version.current);
        version.current = made.version;
        return made;
      } catch (error) {
        reportError(error);
        const fresh = await send(getBatch, { params: { id: batch.id } }).catch(() => null);
        if (fresh !== null) version.current = fresh.version;
        return null;
      } finally {
        await Promise.all(draft.map(invalidateCall));
        setUnderWay((count) => count - 1);
      }
    });
    last.current = turn;
    return turn;
  };
  const batchId = batch.id;
  return {
    busy: underWay > 0,
    mend: (rowId: string, written: contract.Written) =>
      edit((version) => send(mendBatchRow, { body: { batchId, version, rowId, written } })),
    add: (rows: { id: string; written: contract.Written }[]) =>
      edit((version) => send(addBatchRows, { body: { batchId, version, rows } })),
    remove: (rows: string[] | 'wrong') =>
      edit((version) => send(removeBatchRows, { body: { batchId, version, rows } })),
    accept: (rows: string[] | 'all') =>
      edit((version) => send(acceptBatchWarnings, { body: { batchId, version, rows } })),
    /** Its rows are shown as they were until all have been read again. */
    recheck: () =>
      edit(async (version) => {
        await send(recheckBatch, { body: { id: batchId, version } });
        let part = await send(readBatch, { body: { id: batchId } });
        while (!part.isDone) part = await send(readBatch, { body: { id: batchId } });
        return part;
      }),
    savePayees: () => edit((version) => send(saveNewPayees, { body: { batchId, version } })),
  } satisfies Record<string, unknown>;
}
export type Edits = ReturnType<typeof useEdits>;

export interface Reading {
  readTo: number;
  rows: number;
  error: unknown;
  goOn: () => void;
}

/** Reads a batch part by part for as long as the page is open; what was read stays read. */
export function useReading(batch: Batch, enabled: boolean): Reading {
  const [at, setAt] = useState<{ readTo: number; rows: number } | null>(null);
  const [error, setError] = useState<unknown>(null);
  const [turn, setTurn] = useState(0);
  const isReading = enabled && batch.state === 'reading';
  // biome-ignore lint/correctness/useExhaustiveDependencies: `turn` starts it again after a failure
  useEffect(() => {
    if (!isReading) return;
    const giveUp = new AbortController();
    const read = async () => {
      let isDone = false;
      while (!isDone && !giveUp.signal.aborted) {
        const part = await send(readBatch, { body: { id: batch.id } }, { signal: giveUp.signal });
        setAt(part);
        ({ isDone } = part);
      }
      await Promise.all(draft.map(invalidateCall));
    };
    read().catch((failure: unknown) => giveUp.signal.aborted || setError(failure));
    return () => giveUp.abort();
  }, [isReading, batch.id, turn]);
  return {
    readTo: at?.readTo ?? batch.readTo,
    rows: at?.rows ?? batch.rows,
    error,
    goOn: () => {
      setError(null);
      setTurn((count) => count + 1);
    },
  };
}

/** Puts a batch that a call returned where the page looks for it. */
export function keepBatch(batch: Batch): void {
  queryClient.setQueryData(callKey(getBatch, { params: { id: batch.id } }), batch);
}
