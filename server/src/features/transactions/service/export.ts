import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { exportTransactions } from '@causeway/contract/transactions.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import type { Tx } from '../../../platform/database/database.ts';
import { DomainError } from '../../../platform/domain-error.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { sourceName } from '../../rates/index.ts';
import { readTransactions, type TransactionRow } from '../store/reading.ts';
import { countMatching, type Position, searchTransactions } from '../store/search.ts';
import { filterOf, orderOf } from './list.ts';
import { valuationOf } from './view.ts';

/** Decisions and contract: an export holds no more than this. */
const maxRows = 50_000;
const batchRows = 1000;

const columns = [
  'id',
  'createdAt',
  'completedAt',
  'type',
  'status',
  'direction',
  'coin',
  'place',
  'quantity',
  'fee',
  'valueUsd',
  'priceUsd',
  'priceSource',
  'priceTime',
  'baseCurrency',
  'baseValue',
  'baseRate',
  'baseRateSource',
  'baseRateTime',
  'payerName',
  'payerAccount',
  'payeeName',
  'payeeAccount',
  'hash',
  'initiator',
  'invoiceNumber',
  'category',
  'notes',
] as const;

/**
 * The filtered list as CSV (RFC 4180, UTF-8 with byte order mark), read and written batch by batch. Cells that a
 * spreadsheet would take for a formula are neutralised with an apostrophe.
 * @throws DomainError exportTooLarge
 */
export async function exportCsv(context: OpenContext, query: Query<typeof exportTransactions>): Promise<FileAnswer> {
  const { database } = context;
  const { companyId } = context.session;
  const filter = filterOf(query);
  await database.withCompany(companyId, async (tx) => {
    const count = await countMatching(tx, filter, maxRows + 1);
    if (count > maxRows) throw new DomainError('exportTooLarge');
    const actor = actorOf(context);
    const detail = { filter, count };
    await audit(tx, { actor, action: 'transfers.export', subjectKind: 'company', subjectId: companyId, detail });
  });
  const header = Object.fromEntries(columns.map((name) => [name, translate(context.locale, `export.${name}`)]));
  const csv = stringify({
    header: true,
    columns: header,
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    // Of itself it quotes the delimiter of records alone, which is not the line break that people type.
    quoted_match: /[\r\n]/,
  });
  const rows = Readable.from(records(context, query));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `transactions-${new Date().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
  };
}

async function* records(
  { database, session, locale }: OpenContext,
  query: Query<typeof exportTransactions>,
): AsyncGenerator<Record<string, string>> {
  const filter = filterOf(query);
  const order = orderOf(query);
  let after: Position | null = null;
  for (let written = 0; written < maxRows; written += batchRows) {
    const from: Position | null = after;
    const read = async (tx: Tx) => {
      const found = await searchTransactions(tx, filter, order, from, batchRows);
      const ids = found.map(({ id }) => id);
      return { last: found.at(-1), full: found.length === batchRows, rows: await readTransactions(tx, ids) };
    };
    const batch = await database.withCompany(session.companyId, read, { readOnly: true });
    for (const row of batch.rows) yield asRecord(row, locale);
    if (!batch.full || !batch.last) return;
    after = batch.last;
  }
}

function asRecord(row: TransactionRow, locale: Locale): Record<(typeof columns)[number], string> {
  const value = valuationOf(row);
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
    valueUsd: value.usd ?? '',
    priceUsd: value.price?.rate ?? '',
    priceSource: value.price ? sourceName(value.price.source) : '',
    priceTime: value.price?.at ?? '',
    baseCurrency: value.base.currency,
    baseValue: value.base.amount ?? '',
    baseRate: value.base.rate?.rate ?? '',
    baseRateSource: value.base.rate ? sourceName(value.base.rate.source) : '',
    baseRateTime: value.base.rate?.at ?? '',
    payerName: row.payerName ?? '',
    payerAccount: row.payerAccount ?? '',
    payeeName: row.payeeName ?? '',
    payeeAccount: row.payeeAccount ?? '',
    hash: row.hash ?? '',
    initiator: row.initiatorName ?? '',
    invoiceNumber: row.invoiceNumber ?? '',
    category: row.category ?? '',
    notes: row.notes,
  };
}
