import type { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { exportCardReceiptFiles } from '@causeway/contract/cards-receipts.ts';
import type { AttachmentType } from '@causeway/contract/files.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { AlteredFileError, type FilesPorts, readFile } from '../../files/index.ts';
import { type ZipEntry, zipOf } from '../adapters/zip.ts';
import { withoutMetadata } from '../photo.ts';
import type { PaidRow } from '../store/payments.ts';
import { amountOf, csvText, readPeriod } from './statement.ts';

/** What cards paid, with the receipts themselves, for the accountant. */

const folder = 'receipts';
const extensions: Record<AttachmentType, string> = {
  'application/pdf': 'pdf',
  'image/png': 'png',
  'image/jpeg': 'jpg',
};

/** @throws DomainError cardPeriodInvalid */
export async function exportReceiptFiles(
  context: OpenContext & FilesPorts,
  period: Query<typeof exportCardReceiptFiles>,
): Promise<FileAnswer> {
  const { rows, day } = await readPeriod(context, period, 'cards.exportReceipts');
  return {
    name: `cards-${period.from}-${period.to}.zip`,
    type: 'application/zip',
    content: archive(context, rows, day),
    rows: rows.length,
  };
}

function archive(context: OpenContext & FilesPorts, rows: readonly PaidRow[], day: (at: Date) => string): Readable {
  return zipOf(entriesOf(context, rows, day));
}

/** The receipts in the order of the payments, then the CSV, which says of a file that cannot be read that it is lacking. */
async function* entriesOf(
  context: OpenContext & FilesPorts,
  rows: readonly PaidRow[],
  day: (at: Date) => string,
): AsyncGenerator<ZipEntry> {
  const names = new Map<string, string>();
  for (const row of rows) {
    // A purchase that was cleared in parts has several rows and one receipt.
    if (row.fileId === null || row.receiptFile === null || names.has(row.id)) continue;
    const content = await contentOf(context, row.fileId, row.receiptFile.type);
    const name = `${folder}/${receiptName(row, day)}`;
    names.set(row.id, content === null ? translate(context.locale, 'cards.archive.unreadable') : name);
    if (content !== null) yield { name, content, at: row.clearedAt ?? row.at };
  }
  const text = await csvText(rows, context.locale, ({ id }) => names.get(id) ?? null);
  yield { name: 'payments.csv', content: Buffer.from(text), at: context.clock.now(), compress: true };
}

/** @returns null where the stored bytes are gone or not those that were stored */
async function contentOf(
  context: OpenContext & FilesPorts,
  fileId: string,
  type: AttachmentType,
): Promise<Buffer | null> {
  try {
    const bytes = await readFile(context, fileId);
    return withoutMetadata(type, bytes) ?? bytes;
  } catch (error) {
    // Anything else, such as a database that is gone, ends the archive: a CSV that calls every file lost would be wrong.
    if (error instanceof AlteredFileError || (error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

const mostLetters = 40;

/**
 * `2026-11-28_HARBOUR-CAFE_230.00-HKD_<transaction>.jpg`: letters and figures of any script, of the merchant's name; the name of the uploaded file has no part in it.
 */
function receiptName(
  row: Pick<PaidRow, 'id' | 'merchant' | 'asset' | 'receiptFile' | 'clearedAt' | 'at'> & Parameters<typeof amountOf>[0],
  day: (at: Date) => string,
): string {
  const merchant = [...row.merchant.normalize('NFC').replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, '-')]
    .slice(0, mostLetters)
    .join('')
    .replaceAll(/^-+|-+$/g, '');
  const amount = `${amountOf(row).replace('-', '')}-${row.asset}`;
  const parts = [day(row.clearedAt ?? row.at), merchant, amount, row.id].filter((part) => part !== '');
  return `${parts.join('_')}.${extensions[row.receiptFile?.type ?? 'application/pdf']}`;
}
