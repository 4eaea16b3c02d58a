import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { exportOutputs } from '@causeway/contract/operator-outputs.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import { countRows, readBatches } from '../../../platform/database/list.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';
import { actorOf } from '../../../platform/session.ts';
import { csvForm } from '../../../platform/text/csv.ts';
import { translate } from '../../../platform/text/texts.ts';
import type { OpenStaffContext } from '../console/dependencies.ts';
import { setOf, shownOutput } from './outputs.ts';
import { outputList } from './outputs-store.ts';

const batchRows = 500;

const columns = [
  'hash',
  'index',
  'address',
  'quantity',
  'coin',
  'state',
  'origin',
  'block',
  'seenAt',
  'paymentId',
  'spentBy',
] as const;

/** The filtered outputs of one owner as CSV. @throws DomainError notFound */
export async function exportCsv(context: OpenStaffContext, query: Query<typeof exportOutputs>): Promise<FileAnswer> {
  const { database, locale, session } = context;
  const { set, count } = await database.withCompany(session.companyId, async (tx) => {
    const found = await setOf(tx, query.chainId, query.companyId);
    const counted = await countRows(tx, outputList, query, undefined, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action: 'operator.exportOutputs',
      subjectKind: 'installation',
      subjectId: 'installation',
      detail: { company: found.companyName, chain: query.chainId, count: counted },
    });
    return { set: found, count: counted };
  });
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(locale, `operator.outputs.csv.${name}`)])),
    ...csvForm,
  });
  const batches = readBatches(database, session.companyId, outputList, query, {
    scope: async () => undefined,
    size: batchRows,
    more: async (_tx, found) =>
      found.map((row) => {
        const output = shownOutput(row, set);
        return {
          ...output,
          coin: set.coin,
          state: translate(locale, `operator.outputs.state.${output.state}`),
          origin: translate(locale, `operator.outputs.origin.${output.origin}`),
        };
      }),
  });
  const rows = Readable.from(flat(batches));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `outputs-${context.clock.now().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}
