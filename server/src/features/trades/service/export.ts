import { Readable } from 'node:stream';
import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportTrades, Trade } from '@causeway/contract/trades.ts';
import { stringify } from 'csv-stringify';
import { audit } from '../../../platform/audit/record.ts';
import { countRows, readBatches } from '../../../platform/database/list.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { maxExactTotal } from '../../../platform/http/page.ts';
import { actorOf, type OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { tradeList } from '../store/list.ts';
import { tradeOf } from '../store/trades.ts';
import { shownTrade } from './list.ts';

const batchRows = 500;

const columns = [
  'id',
  'number',
  'side',
  'state',
  'phase',
  'quantity',
  'currency',
  'network',
  'frozen',
  'paid',
  'paying',
  'refunded',
  'payerName',
  'payerAddress',
  'payerWallet',
  'payeeName',
  'payeeAddress',
  'payeeWallet',
  'billOfLading',
  'hash',
  'actor',
  'actBy',
  'createdAt',
  'updatedAt',
] as const;

/** The company's trades as CSV, those that changed last first, in the language of the request. */
export async function exportCsv(context: OpenContext, query: Query<typeof exportTrades>): Promise<FileAnswer> {
  const { database, locale, session } = context;
  const { companyId } = session;
  const count = await database.withCompany(companyId, async (tx) => {
    const found = await countRows(tx, tradeList, query, undefined, maxExactTotal + 1);
    await audit(tx, {
      actor: actorOf(context),
      action: 'trades.export',
      subjectKind: 'company',
      subjectId: companyId,
      detail: { count: found },
    });
    return found;
  });
  const csv = stringify({
    header: true,
    columns: Object.fromEntries(columns.map((name) => [name, translate(locale, `trades.csv.${name}`)])),
    bom: true,
    escape_formulas: true,
    record_delimiter: 'windows',
    quoted_match: /[\r\n]/,
  });
  const batches = readBatches(database, companyId, tradeList, query, {
    scope: async () => undefined,
    size: batchRows,
    more: async (_tx, rows) => rows.map((row) => cellsOf(shownTrade(tradeOf(row)), locale)),
  });
  const rows = Readable.from(flat(batches));
  rows.on('error', (error) => csv.destroy(error));
  return {
    name: `trades-${context.clock.now().toISOString().slice(0, 10)}.csv`,
    type: 'text/csv; charset=utf-8',
    content: rows.pipe(csv),
    ...(count <= maxExactTotal && { rows: count }),
  };
}

async function* flat<T>(batches: AsyncIterable<readonly T[]>): AsyncGenerator<T> {
  for await (const batch of batches) yield* batch;
}

function cellsOf(trade: Trade, locale: Locale): Record<(typeof columns)[number], string> {
  const { payer, payee, actor } = trade;
  const say = (kind: string, name: string) => translate(locale, `trades.${kind}.${name}`);
  return {
    id: trade.id,
    number: trade.number,
    side: say('side', trade.side),
    state: say('state', trade.state),
    phase: say('phase', trade.phase),
    quantity: trade.quantity,
    currency: trade.asset,
    network: trade.chainName,
    frozen: trade.frozen ?? '',
    paid: trade.paid ?? '',
    paying: trade.paying ?? '',
    refunded: trade.refunded,
    payerName: payer.name,
    payerAddress: payer.address,
    payerWallet: payer.wallet,
    payeeName: payee.name,
    payeeAddress: payee.address,
    payeeWallet: payee.wallet,
    billOfLading: trade.billOfLading ?? '',
    hash: trade.hash ?? '',
    actor: actor === null ? '' : say('actor', actor),
    actBy: trade.actBy ?? '',
    createdAt: trade.createdAt,
    updatedAt: trade.updatedAt,
  };
}
