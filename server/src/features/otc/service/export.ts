import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportOtc, OtcRequest } from '@causeway/contract/otc.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import { countRows, readBatches } from '../../../platform/database/list.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { requestList } from '../store/requests.ts';
import { shownRequest } from './reading.ts';

const batchRows = 500;

const columns = [
  'id',
  'createdAt',
  'state',
  'stateAt',
  'requester',
  'soldAsset',
  'boughtAsset',
  'amount',
  'amountAsset',
  'usd',
  'deadline',
  'rate',
  'sold',
  'fee',
  'bought',
  'validUntil',
  'transaction',
] as const;

/** The company's requests as CSV, newest first, in the language of the request. */
export async function exportCsv(context: OpenContext, query: Query<typeof exportOtc>): Promise<FileAnswer> {
  const { database, locale, session } = context;
  const { companyId } = session;
  const count = await database.withCompany(companyId, async (tx) => {
    const found = await countRows(tx, requestList, query, undefined, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action: 'otc.export',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { count: found },
    });
    return found;
  });
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(locale, `otc.csv.${name}`)])),
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
  });
  const batches = readBatches(database, companyId, requestList, query, {
    scope: async () => undefined,
    size: batchRows,
    more: async (_tx, rows) => rows.map((row) => cellsOf(shownRequest(row, locale), locale)),
  });
  const rows = Readable.from(flat(batches));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `otc-${context.clock.now().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

function cellsOf(request: OtcRequest, locale: Locale): Record<(typeof columns)[number], string> {
  const { sell, buy, fixed, quote } = request;
  return {
    id: request.id,
    createdAt: request.createdAt,
    state: translate(locale, `otc.state.${request.state}`),
    stateAt: request.stateAt,
    requester: request.requester.name,
    soldAsset: sell.asset,
    boughtAsset: buy.asset,
    amount: request.amount,
    amountAsset: (fixed === 'sell' ? sell : buy).asset,
    usd: request.usd,
    deadline: request.deadline,
    rate: quote?.rate ?? '',
    sold: quote?.total ?? '',
    fee: quote?.fee ?? '',
    bought: quote?.bought ?? '',
    validUntil: quote?.validUntil ?? '',
    transaction: request.exchange?.id ?? '',
  };
}
