import type { Batch, mapBatch, readBatch, recheckBatch } from '@causeway/contract/batches.ts';
import { type BatchField, batchFields, batchPartRows, isMapped } from '@causeway/contract/batches-rules.ts';
import type { Body, OutputInput } from '@causeway/contract/call.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { announce, live } from '../../../platform/database/outbox.ts';
import { DomainError, invariant } from '../../../platform/domain-error.ts';
import type { OpenContext, SignedInContext } from '../../../platform/session.ts';
import { readFile } from '../../files/index.ts';
import { hasDecimalComma, hasLonePoint } from '../reading/amount.ts';
import { readDirectory } from '../reading/directory.ts';
import { indexOf } from '../reading/find-payee.ts';
import type { Mapping } from '../reading/headers.ts';
import { readRow } from '../reading/meaning.ts';
import {
  deleteRows,
  findPointed,
  findSeparated,
  findWritten,
  insertRows,
  type KeptMeaning,
  type NewRow,
  raiseVersion,
  rememberMapping,
  setReading,
  writeMeanings,
} from '../store/drafts.ts';
import { markDuplicates } from './duplicates.ts';
import { type DraftsPorts, editable, existing } from './ports.ts';
import { asRow, filledOf, headerHash, mappingFor, readCsvFile, readFileOr, rowsOf } from './upload.ts';
import { batchOf, stateOf } from './view.ts';

/**
 * Gives the next rows their meaning. What has been read is kept, so that a caller that gave up goes on where it was.
 * @throws DomainError batchNotFound, batchSubmitted, batchUnmapped
 */
export async function readPart(
  tx: Tx,
  context: SignedInContext & DraftsPorts,
  { id }: Body<typeof readBatch>,
): Promise<OutputInput<typeof readBatch>> {
  const batch = await editable(tx, id, null);
  if (stateOf(batch) === 'mapping') throw new DomainError('batchUnmapped');
  const rows = await findWritten(tx, id, batch.readTo, batchPartRows);
  if (rows.length === 0) return { version: batch.version, readTo: batch.readTo, rows: batch.rows, isDone: true };
  await giveMeaning(tx, context, id, rows);
  const readTo = rows.at(-1)?.number ?? batch.readTo;
  const isDone = readTo >= batch.lastNumber;
  // Once: while it is read, rows that are alike may still come.
  if (isDone) await markDuplicates(tx, id);
  const version = await raiseVersion(tx, id, readTo);
  if (isDone) await announce(tx, [live('batch', id)]);
  return { version, readTo, rows: batch.rows, isDone };
}

/**
 * Reads rows against the company's wallets and payees of now, and keeps what they mean. Where the batch has amounts with a decimal comma, a
 * point alone before three digits has two meanings: rows that were read before such an amount came are read again with them.
 */
export async function giveMeaning(
  tx: Tx,
  { families }: Pick<DraftsPorts, 'families'>,
  batchId: string,
  rows: readonly NewRow[],
): Promise<void> {
  const index = indexOf(await readDirectory(tx, families));
  const amongCommas = await hasCommas(tx, batchId, rows);
  const given = new Set(rows.map(({ id }) => id));
  const pointed = amongCommas ? await findPointed(tx, batchId) : [];
  const again = pointed.filter(({ id, written }) => !given.has(id) && hasLonePoint(written.amount ?? ''));
  const meanings = [...rows, ...again].map(({ id, written }): KeptMeaning => {
    const {
      walletId: wallet,
      payeeId: payee,
      versionId: account,
      amountMinor,
      terms,
      problems,
    } = readRow(index, written, amongCommas);
    return { id, written, wallet, payee, account, amount: amountMinor?.toString() ?? null, terms, problems };
  });
  await writeMeanings(tx, batchId, meanings);
}

/** Of rows that are being changed what they say now, and not what is kept of them. */
async function hasCommas(tx: Tx, batchId: string, rows: readonly NewRow[]): Promise<boolean> {
  const changed = new Map(rows.map(({ id, written }) => [id, written.amount ?? '']));
  if ([...changed.values()].some(hasDecimalComma)) return true;
  return (await findSeparated(tx, batchId)).some(({ id, amount }) => !changed.has(id) && hasDecimalComma(amount));
}

/** @throws DomainError batchChanged, batchNotFound, batchSubmitted */
export async function recheck(
  tx: Tx,
  _context: SignedInContext,
  { id, version }: Body<typeof recheckBatch>,
): Promise<OutputInput<typeof recheckBatch>> {
  await editable(tx, id, version);
  return { version: await raiseVersion(tx, id, 0) };
}

/**
 * Matches the columns by hand, or decodes the file in another encoding, and reads its rows again: what was mended in them is gone, which the
 * page says before.
 * @throws DomainError batchChanged, batchFileRefused, batchNotFound, batchNotOfCsv, batchSubmitted, batchUnmapped
 */
export async function map(
  context: OpenContext & DraftsPorts,
  { id, version, mapping: given, encoding }: Body<typeof mapBatch>,
): Promise<Batch> {
  const { database, session, locale } = context;
  if (!isMapped(given) && encoding === undefined) throw new DomainError('batchUnmapped');
  const before = await database.withCompany(session.companyId, (tx) => existing(tx, id), { readOnly: true });
  if (before.source !== 'csv' || before.fileId === null) throw new DomainError('batchNotOfCsv');
  const content = await readFile(context, before.fileId);
  const csv = await readFileOr(locale, () => readCsvFile(content, encoding ?? before.encoding));
  if (batchFields.some((field: BatchField) => (given[field] ?? 0) >= csv.header.columns.length)) {
    throw new DomainError('batchUnmapped');
  }
  return database.withCompany(session.companyId, async (tx) => {
    const batch = await editable(tx, id, version);
    invariant(batch.fileId === before.fileId, 'a batch keeps its file');
    // Names that another encoding made readable may say which column is which.
    const matched = isMapped(given) ? { mapping: given as Mapping, isMatched: true } : await mappingFor(tx, csv);
    await deleteRows(tx, id, 'all');
    await setReading(tx, { id, ...matched, encoding: csv.encoding, delimiter: csv.delimiter, header: csv.header });
    if (isMapped(given)) {
      const { mapping } = matched;
      await rememberMapping(tx, headerHash(csv.header), { mapping, filled: filledOf(csv.header) });
    }
    await insertRows(tx, id, 0, rowsOf(csv, matched).map(asRow));
    await raiseVersion(tx, id, 0);
    await announce(tx, [live('batch', id)]);
    return batchOf(tx, await existing(tx, id), locale);
  });
}
