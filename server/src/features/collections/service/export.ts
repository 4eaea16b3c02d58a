import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportPaymentRequests, PaymentRequest } from '@causeway/contract/payment-requests.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import { countRows, readBatches } from '../../../platform/database/list.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { requestList } from '../store/list.ts';
import { shown } from './show.ts';

const batchRows = 500;

const columns = [
  'id',
  'createdAt',
  'title',
  'reference',
  'kind',
  'state',
  'causes',
  'asset',
  'amount',
  'paid',
  'remaining',
  'accepted',
  'payments',
  'received',
  'payer',
  'email',
  'dueOn',
  'expiresAt',
  'createdBy',
] as const;

/** The company's requests as CSV, newest first, in the language of the request. */
export async function exportCsv(context: OpenContext, query: Query<typeof exportPaymentRequests>): Promise<FileAnswer> {
  const { database, locale, session } = context;
  const { companyId } = session;
  const count = await database.withCompany(companyId, async (tx) => {
    const found = await countRows(tx, requestList, query, undefined, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action: 'collections.export',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { count: found },
    });
    return found;
  });
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(locale, `collections.csv.${name}`)])),
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
  });
  const batches = readBatches(database, companyId, requestList, query, {
    scope: async () => undefined,
    size: batchRows,
    more: async (_tx, rows) => rows.map((row) => cellsOf(shown(row, row.state), locale)),
  });
  const rows = Readable.from(flat(batches));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `payment-requests-${context.clock.now().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

function cellsOf(request: PaymentRequest, locale: Locale): Record<(typeof columns)[number], string> {
  const say = (of: string, word: string) => translate(locale, `paymentRequest.${of}.${word}`);
  return {
    id: request.id,
    createdAt: request.createdAt,
    title: request.title,
    reference: request.reference,
    kind: say('kind', request.kind),
    state: say('state', request.state),
    causes: request.causes.map((cause) => say('cause', cause)).join('; '),
    asset: request.asset ?? '',
    amount: request.amount ?? '',
    paid: request.paid ?? '',
    remaining: request.remaining ?? '',
    accepted: request.accepted.map(({ coin, chainName }) => `${coin} (${chainName})`).join('; '),
    payments: String(request.payments),
    received: request.sums.map(({ coin, amount }) => `${amount} ${coin}`).join('; '),
    payer: request.payer?.name ?? '',
    email: request.payer?.email ?? '',
    dueOn: request.dueOn ?? '',
    expiresAt: request.expiresAt ?? '',
    createdBy: request.createdBy.name,
  };
}
