import type {
  Batch,
  BatchRow,
  BatchSummary,
  getBatch,
  listBatches,
  listBatchRows,
} from '@causeway/contract/batches.ts';
import { type BatchField, type BatchProblem, type BatchState, isMapped } from '@causeway/contract/batches-rules.ts';
import type { OutputInput, Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { readPage } from '../../../platform/database/list.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { type BatchRecord, batchList } from '../store/drafts.ts';
import { countRowsOf, type RowRecord, rowList, sumsOf, type WalletSum } from '../store/rows.ts';
import { type BatchProgress, readProgress } from '../store/run-heads.ts';
import { existing } from './ports.ts';

/** Batches and rows as people see them. */

export async function list(
  tx: Tx,
  _context: SignedInContext,
  query: Query<typeof listBatches>,
): Promise<OutputInput<typeof listBatches>> {
  const page = await readPage(tx, batchList, query, undefined);
  const ids = page.items.map(({ id }) => id);
  const sums = await sumsOf(tx, ids);
  const progress = new Map((await readProgress(tx, ids)).map((each) => [each.batchId, each]));
  const items = page.items.map((batch) => {
    const head = headOf(
      batch,
      sums.filter(({ batchId }) => batchId === batch.id),
    );
    return { ...head, progress: progressOf(head, progress.get(batch.id)) };
  });
  return { ...page, items };
}

/** Rows that are held and not entered yet are under way. */
function progressOf({ rows }: BatchHead, of: BatchProgress | undefined): BatchSummary['progress'] {
  if (of === undefined) return null;
  const { completed, failed } = of;
  return { completed, failed, underWay: rows - completed - failed };
}

/** @throws DomainError batchNotFound */
export async function get(
  tx: Tx,
  { locale }: SignedInContext,
  { id }: { id: string },
): Promise<OutputInput<typeof getBatch>> {
  return batchOf(tx, await existing(tx, id), locale);
}

/** @throws DomainError batchNotFound, cursorInvalid */
export async function listRows(
  tx: Tx,
  { locale }: SignedInContext,
  query: Query<typeof listBatchRows>,
): Promise<OutputInput<typeof listBatchRows>> {
  await existing(tx, query.batchId);
  const page = await readPage(tx, rowList, query, undefined);
  return { ...page, items: page.items.map((row) => rowOf(row, locale)) };
}

export async function batchOf(tx: Tx, batch: BatchRecord, locale: Locale): Promise<Batch> {
  const sums = await sumsOf(tx, [batch.id]);
  const { header, encoding, isSubmitted } = batch;
  return {
    ...headOf(batch, sums),
    version: batch.version,
    isTemplate: batch.isTemplate,
    fileId: batch.fileId,
    fileHash: batch.fileHash?.toString('hex') ?? null,
    mapping: batch.mapping,
    preview:
      header === null || encoding === null || isSubmitted
        ? null
        : { encoding, encodings: header.encodings, encodingSure: header.sure, columns: header.columns },
    asked: batch.asked,
    readTo: batch.readTo,
    counts: await countRowsOf(tx, batch.id),
    wallets: sums.map(({ walletId, asset, decimals, place, amount, rows }) => ({
      walletId,
      asset,
      place: nameOfPlace(place, locale),
      amount: formatAmount(BigInt(amount), decimals),
      rows,
    })),
  };
}

export function stateOf({ isSubmitted, source, mapping, isMatched, readTo, lastNumber }: BatchRecord): BatchState {
  if (isSubmitted) return 'submitted';
  if (source === 'csv' && !(isMatched && isMapped(mapping))) return 'mapping';
  return readTo < lastNumber ? 'reading' : 'draft';
}

type BatchHead = Omit<BatchSummary, 'progress'>;

function headOf(batch: BatchRecord, sums: readonly WalletSum[]): BatchHead {
  return {
    id: batch.id,
    name: batch.name,
    source: batch.source,
    fileName: batch.fileName,
    state: stateOf(batch),
    rows: batch.rows,
    createdAt: batch.createdAt.toISOString(),
    createdBy: { id: batch.createdBy, name: batch.createdByName },
    totals: totalsOf(sums),
  };
}

/** What wallets pay, added up by asset. */
export function totalsOf(sums: readonly WalletSum[]): BatchSummary['totals'] {
  const totals = new Map<string, { minor: bigint; decimals: number; rows: number }>();
  for (const { asset, decimals, amount, rows } of sums) {
    const total = totals.get(asset) ?? { minor: 0n, decimals, rows: 0 };
    totals.set(asset, { decimals, minor: total.minor + BigInt(amount), rows: total.rows + rows });
  }
  return [...totals].map(([asset, { minor, decimals, rows }]) => ({
    asset,
    amount: formatAmount(minor, decimals),
    rows,
  }));
}

export function rowOf(row: RowRecord, locale: Locale): BatchRow {
  const { id, number, written, problems, accepted } = row;
  return {
    id,
    number,
    written,
    meaning: meaningOf(row, locale),
    problems: problems.map((problem) => ({
      column: problem.column,
      key: problem.key,
      severity: problem.severity,
      ...wordsOf(problem, locale),
      accepted: problem.severity === 'warning' && accepted.includes(problem.key),
    })),
  };
}

function meaningOf(row: RowRecord, locale: Locale): BatchRow['meaning'] {
  const { walletId, asset, decimals, place, payeeId, payeeKind, payeeLabel, payeeAccount, payeeStatus, amount } = row;
  if (walletId === null || payeeId === null || payeeKind === null || amount === null) return null;
  if (asset === null || decimals === null || place === null) return null;
  return {
    walletId,
    asset,
    place: nameOfPlace(place, locale),
    payee: {
      id: payeeId,
      label: payeeLabel ?? '',
      account: payeeAccount ?? '',
      kind: payeeKind,
      status: payeeStatus ?? 'deleted',
    },
    amount: formatAmount(BigInt(amount), decimals),
  };
}

/** What is wrong, and what to do. */
export function wordsOf({ column, key, blanks }: BatchProblem, locale: Locale): { sentence: string; mend: string } {
  const name = (field: string) => translate(locale, `batches.column.${field as BatchField}`);
  const values = {
    ...blanks,
    column: name(column),
    ...(typeof blanks['fields'] === 'string' && { fields: blanks['fields'].split(' ').map(name).join(', ') }),
  };
  return {
    sentence: translate(locale, `batches.problem.${key}`, values),
    mend: translate(locale, `batches.mend.${key}`, values),
  };
}
