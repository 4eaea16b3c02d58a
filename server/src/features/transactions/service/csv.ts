import { Readable } from 'node:stream';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { stringify } from 'csv-stringify';
import type { Database, Tx } from '../../../platform/database/database.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import type { TransactionRow } from '../store/reading.ts';
import type { Position } from '../store/search.ts';

/** Transactions as CSV, of a company and of the operator. */

export const csvBatchRows = 1000;

/** What rows of both exports have. */
type CsvRow = Pick<
  TransactionRow,
  | 'id'
  | 'createdAt'
  | 'completedAt'
  | 'type'
  | 'status'
  | 'direction'
  | 'coin'
  | 'place'
  | 'quantityMinor'
  | 'decimals'
  | 'feeMinor'
  | 'payerName'
  | 'payerAccount'
  | 'payeeName'
  | 'payeeAccount'
  | 'hash'
  | 'initiatorName'
  | 'invoiceNumber'
>;

/** The cells of the columns that both exports have. */
export function cellsOf(row: CsvRow, locale: Locale) {
  return {
    id: row.id,
    createdAt: row.createdAt.toISOString(),
    completedAt: row.completedAt?.toISOString() ?? '',
    type: translate(locale, `transaction.type.${row.type}`),
    status: translate(locale, `transaction.status.${row.status}`),
    direction: translate(locale, `transaction.direction.${row.direction}`),
    coin: row.coin,
    place: nameOfPlace(row.place, locale),
    quantity: formatAmount(row.quantityMinor, row.decimals),
    fee: formatAmount(row.feeMinor, row.decimals),
    payerName: row.payerName ?? '',
    payerAccount: row.payerAccount ?? '',
    payeeName: row.payeeName ?? '',
    payeeAccount: row.payeeAccount ?? '',
    hash: row.hash ?? '',
    initiator: row.initiatorName ?? '',
    invoiceNumber: row.invoiceNumber ?? '',
  };
}

interface Batch<Row> {
  found: readonly Position[];
  rows: readonly Row[];
}

interface CsvExport<Row, Column extends string> {
  database: Database;
  /** In whose transactions it is read. */
  companyId: string;
  locale: Locale;
  now: Date;
  /** No more rows than these. */
  most: number;
  columns: readonly Column[];
  /** The next `csvBatchRows` rows: their places in the order, and what they hold. */
  read(tx: Tx, after: Position | null): Promise<Batch<Row>>;
  cells(row: Row): Readonly<Record<Column, string>>;
}

/**
 * Rows as CSV (RFC 4180, UTF-8 with byte order mark), read and written batch by batch. Cells that a spreadsheet would take for a formula are
 * neutralised with an apostrophe.
 */
export function csvOf<Row, Column extends string>(given: CsvExport<Row, Column>): FileAnswer {
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(given.columns.map((name) => [name, translate(given.locale, `export.${name}`)])),
    ...csvForm,
  });
  const rows = Readable.from(records(given));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `transactions-${given.now.toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
  };
}

async function* records<Row, Column extends string>({
  database,
  companyId,
  most,
  read,
  cells,
}: CsvExport<Row, Column>): AsyncGenerator<Readonly<Record<Column, string>>> {
  let after: Position | null = null;
  for (let written = 0; written < most; written += csvBatchRows) {
    const from: Position | null = after;
    const { found, rows }: Batch<Row> = await database.withCompany(companyId, (tx) => read(tx, from), {
      readOnly: true,
    });
    for (const row of rows) yield cells(row);
    after = found.at(-1) ?? null;
    if (found.length < csvBatchRows || after === null) return;
  }
}
