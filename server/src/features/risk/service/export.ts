import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { exportNamelist } from '@causeway/contract/risk-lists.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import { readBatches } from '../../../platform/database/list.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import { entryList } from '../store/lists.ts';
import { csvColumns } from './import.ts';
import { asEntry, today } from './lists.ts';

const batchRows = 1000;

/**
 * A list as CSV (RFC 4180, UTF-8 with byte order mark) that an import reads again. Cells that a spreadsheet would take for
 * a formula are neutralised with an apostrophe.
 */
export async function exportEntries(context: OpenContext, query: Query<typeof exportNamelist>): Promise<FileAnswer> {
  const { database } = context;
  const { companyId } = context.session;
  const { kind, payeeType = null, status = null, keyword } = query;
  const filter = { kind, payeeType, status, keyword: keyword?.trim() || null };
  await database.withCompany(companyId, (tx) =>
    audit(tx, {
      actor: actorOf(context),
      action: 'risk.exportEntries',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { filter },
    }),
  );
  const columns = csvColumns.filter(
    (column) => query.kind === 'white' || !['single', 'daily', 'cumulative'].includes(column),
  );
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(context.locale, `risk.column.${name}`)])),
    ...csvForm,
  });
  const rows = Readable.from(records(context, query));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `${query.kind}list-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
  };
}

async function* records(
  { database, session, locale }: OpenContext,
  query: Query<typeof exportNamelist>,
): AsyncGenerator<Record<string, string>> {
  const batches = readBatches(database, session.companyId, entryList, query, {
    scope: async (tx) => ({ today: await today(tx) }),
    size: batchRows,
    more: async (_, rows) => rows.map(asEntry),
  });
  for await (const batch of batches) {
    for (const { limits, ...entry } of batch) {
      const payeeType = translate(locale, `risk.payeeType.${entry.payeeType}`);
      yield { payeeType, account: entry.account, remark: entry.remark, ...limits };
    }
  }
}
