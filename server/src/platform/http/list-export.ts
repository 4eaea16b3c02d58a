import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { stringify } from 'csv-stringify';
import type { AuditAction } from '../audit/events.ts';
import { audit } from '../audit/record.ts';
import { countRows, type List, type ListCall, readBatches } from '../database/list.ts';
import { actorOf, type OpenContext } from '../session.ts';
import { csvForm } from '../text/csv.ts';
import { translate } from '../text/texts.ts';
import type { FileAnswer } from './call-answer.ts';
import { maxExactTotal } from './page.ts';

const batchRows = 500;

export interface ListExport<C extends ListCall, Row, Column extends string> {
  list: List<C, Row, undefined>;
  /** In the audit log. */
  action: AuditAction;
  /** The file is called `NAME-YYYY-MM-DD.csv`. */
  name: string;
  columns: readonly Column[];
  /** The id of the text above a column. */
  heading(column: Column): string;
  cellsOf(row: Row, locale: Locale): Record<Column, string>;
}

/** A company's list as CSV in the language of the request, read in batches while it is sent; its making is in the audit log. */
export async function exportList<C extends ListCall, Row, Column extends string>(
  context: OpenContext,
  query: Query<C>,
  { list, action, name, columns, heading, cellsOf }: ListExport<C, Row, Column>,
): Promise<FileAnswer> {
  const { database, locale, session } = context;
  const { companyId } = session;
  const count = await database.withCompany(companyId, async (tx) => {
    const found = await countRows(tx, list, query, undefined, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action,
      subjectKind: 'company',
      subjectId: companyId,
      detail: { count: found },
    });
    return found;
  });
  const header = Object.fromEntries(columns.map((column) => [column, translate(locale, heading(column))]));
  const csv = stringify({ ...csvForm, header: true, columns: header });
  const batches = readBatches(database, companyId, list, query, {
    scope: async () => undefined,
    size: batchRows,
    more: async (_tx, rows) => rows.map((row) => cellsOf(row, locale)),
  });
  const rows = Readable.from(flat(batches));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `${name}-${context.clock.now().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}
