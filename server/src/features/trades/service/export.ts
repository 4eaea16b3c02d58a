import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportTrades, Trade } from '@causeway/contract/trades.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { exportList } from '../../../platform/http/list-export.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { tradeList } from '../store/list.ts';
import { tradeOf } from '../store/trades.ts';
import { shownTrade } from './list.ts';

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
export function exportCsv(context: OpenContext, query: Query<typeof exportTrades>): Promise<FileAnswer> {
  return exportList(context, query, {
    list: tradeList,
    action: 'trades.export',
    name: 'trades',
    columns,
    heading: (column) => `trades.csv.${column}`,
    cellsOf: (row, locale) => cellsOf(shownTrade(tradeOf(row)), locale),
  });
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
