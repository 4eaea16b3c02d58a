import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportOtc, OtcRequest } from '@causeway/contract/otc.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { exportList } from '../../../platform/http/list-export.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { requestList } from '../store/requests.ts';
import { shownRequest } from './reading.ts';

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
export function exportCsv(context: OpenContext, query: Query<typeof exportOtc>): Promise<FileAnswer> {
  return exportList(context, query, {
    list: requestList,
    action: 'otc.export',
    name: 'otc',
    columns,
    heading: (column) => `otc.csv.${column}`,
    cellsOf: (row, locale) => cellsOf(shownRequest(row, locale), locale),
  });
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
