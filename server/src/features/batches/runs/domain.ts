import { hash } from 'node:crypto';
import { outlierTimes, runFindings } from '@causeway/contract/batch-runs-rules.ts';
import type { Finding } from '../store/runs.ts';

/** The rules of runs of batches: pure. */

/** What a run's code and approval are bound to. */
export interface RunSubject {
  companyId: string;
  runId: string;
  batchId: string;
  /** SHA-256, hex; null: its rows were typed. */
  fileHash: string | null;
  /** In the order in which they are submitted; `digest`: of the transaction's content, SHA-256, hex. */
  rows: readonly { rowId: string; transactionId: string; digest: string }[];
}

/** SHA-256, hex, of the subject in one fixed form. */
export function runDigest({ companyId, runId, batchId, fileHash, rows }: RunSubject): string {
  const parts = rows.flatMap(({ rowId, transactionId, digest }) => [rowId, transactionId, digest]);
  return hash('sha256', JSON.stringify(['causeway.batch.1', companyId, runId, batchId, fileHash, ...parts]));
}

/**
 * The id of the transaction that pays a row in a run: the same wherever it is computed, so that code, check and submission name the same transactions. A
 * UUID of version 7 with the time of the run's id.
 */
export function transactionIdOf(runId: string, rowId: string): string {
  const digest = hash('sha256', `causeway.batch.row ${runId} ${rowId}`);
  const variant = (0x8 | (Number.parseInt(digest.charAt(4), 16) & 0x3)).toString(16);
  return `${runId.slice(0, 13).toLowerCase()}-7${digest.slice(1, 4)}-${variant}${digest.slice(5, 8)}-${digest.slice(8, 20)}`;
}

/** Of an even number the lower of the two in the middle; null of none. */
export function medianOf(amounts: readonly bigint[]): bigint | null {
  const sorted = amounts.toSorted((a, b) => (a < b ? -1 : Number(a > b)));
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? null;
}

/** So many amounts have a median that says something. */
const fewAmounts = 3;

/** Beside what an amount is remarkable: earlier ones of the same payee, or, where the payee was paid too rarely, those of the same batch. Minor units. */
export function outlierOf(
  amountMinor: bigint,
  paid: { count: number; medianMinor: bigint | null },
  run: { count: number; medianMinor: bigint | null },
): 'payee' | 'batch' | null {
  const [of, { count, medianMinor }] =
    paid.count >= fewAmounts ? (['payee', paid] as const) : (['batch', run] as const);
  return count >= fewAmounts && medianMinor !== null && amountMinor >= medianMinor * BigInt(outlierTimes) ? of : null;
}

/** The place of a row among those that an approver looks at first; 99: nothing to look at. */
export function rankOf(findings: readonly Pick<Finding, 'kind'>[]): number {
  return findings.reduce((rank, { kind }) => Math.min(rank, runFindings.indexOf(kind)), 99);
}
