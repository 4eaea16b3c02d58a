import * as z from 'zod/mini';
import { runFindings } from './batch-runs-rules.ts';
import { asset, id } from './ids.ts';
import { stages, transactionStatuses } from './transactions-rules.ts';

/** The rows of a run as its own pages and its approvers see them. Part of `batch-runs.ts`, which exports it. Amounts in whole units. */

/** A sum over rows of one asset. */
export const runTotal = z.object({
  asset,
  decimals: z.number(),
  rows: z.number(),
  amount: z.string(),
  fee: z.string(),
});
export type RunTotal = z.output<typeof runTotal>;

export const runRow = z.object({
  id,
  number: z.number(),
  transactionId: id,
  payee: z.string(),
  account: z.string(),
  asset,
  decimals: z.number(),
  amount: z.string(),
  fee: z.string(),
  status: z.enum(transactionStatuses),
  stage: z.enum(stages),
  /** Why it failed, in the reader's language; null: it has not. */
  reason: z.nullable(z.string()),
  /** An earlier or later transaction of the row was carried out as well. */
  paidTwice: z.boolean(),
  /** What an approver should look at: kept from the submission. */
  findings: z.array(z.object({ kind: z.enum(runFindings), text: z.string() })),
});
export type RunRow = z.output<typeof runRow>;

/** How many rows people changed, added and took out after the file was read; null: there was none. */
export const fileEdits = z.object({ mended: z.number(), added: z.number(), removed: z.number() });
export type FileEdits = z.output<typeof fileEdits>;

/** What an approval of a run shows of it. */
export const batchContent = z.object({
  shape: z.literal('batch'),
  batchId: id,
  batchName: z.string(),
  /** Of the run: 1 the first time. */
  number: z.number(),
  rows: z.number(),
  /** Rows that wait for this decision still. */
  waiting: z.number(),
  /** SHA-256 of the file, hex; null: its rows were typed. */
  fileHash: z.nullable(z.string()),
  edits: z.nullable(fileEdits),
  totals: z.array(runTotal),
  /** The first of the rows to look at; all rows have a list of their own (`listBatchRunRows`). */
  remarkable: z.array(runRow),
});
