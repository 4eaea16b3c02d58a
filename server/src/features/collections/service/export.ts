import type { Query } from '@causeway/contract/call.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import type { exportPaymentRequests, PaymentRequest } from '@causeway/contract/payment-requests.ts';
import type { FileAnswer } from '../../../platform/http/call-answer.ts';
import { exportList } from '../../../platform/http/list-export.ts';
import type { OpenContext } from '../../../platform/session.ts';
import { translate } from '../../../platform/text/texts.ts';
import { requestList } from '../store/list.ts';
import { shown } from './show.ts';

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
export function exportCsv(context: OpenContext, query: Query<typeof exportPaymentRequests>): Promise<FileAnswer> {
  return exportList(context, query, {
    list: requestList,
    action: 'collections.export',
    name: 'payment-requests',
    columns,
    heading: (column) => `collections.csv.${column}`,
    cellsOf: (row, locale) => cellsOf(shown(row, row.state), locale),
  });
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
