import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { exportNamelist } from '@causeway/contract/risk-lists.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit.ts';
import type { Database } from '../../../platform/database.ts';
import type { FileAnswer } from '../../../platform/http.ts';
import { actorOf, type SignedInContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/texts.ts';
import { findCompanySettings } from '../../organisation/index.ts';
import { dayIn } from '../calendar.ts';
import { type EntryRow, findEntries } from '../store/lists.ts';
import { csvColumns } from './import.ts';
import { asEntry, filterOf } from './lists.ts';

const batchRows = 1000;

/**
 * A list as CSV (RFC 4180, UTF-8 with byte order mark) that an import reads again. Cells that a spreadsheet would take for
 * a formula are neutralised with an apostrophe.
 */
export async function exportEntries(
  database: Database,
  context: SignedInContext,
  query: Query<typeof exportNamelist>,
): Promise<FileAnswer> {
  const { companyId } = context.session;
  await database.withCompany(companyId, (tx) =>
    audit(tx, {
      actor: actorOf(context),
      action: 'risk.exportEntries',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { filter: filterOf(query) },
    }),
  );
  const columns = csvColumns.filter(
    (column) => query.kind === 'white' || !['single', 'daily', 'cumulative'].includes(column),
  );
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(context.locale, `risk.column.${name}`)])),
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
  });
  const rows = Readable.from(records(database, context, query));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `${query.kind}list-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
  };
}

async function* records(
  database: Database,
  context: SignedInContext,
  query: Query<typeof exportNamelist>,
): AsyncGenerator<Record<string, string>> {
  let after: { time: string; id: string } | null = null;
  for (;;) {
    const from: { time: string; id: string } | null = after;
    const batch: EntryRow[] = await database.withCompany(context.session.companyId, async (tx) => {
      const { timeZone } = await findCompanySettings(tx);
      return findEntries(tx, filterOf(query), dayIn(timeZone, new Date()), from, batchRows);
    });
    for (const { limits, ...entry } of batch.map(asEntry)) {
      const payeeType = translate(context.locale, `risk.payeeType.${entry.payeeType}`);
      yield { payeeType, account: entry.account, remark: entry.remark, ...limits };
    }
    const last = batch.at(-1);
    if (batch.length < batchRows || !last) return;
    after = { time: last.createdAtText, id: last.id };
  }
}
