import { exportOtc, listOtc } from 'virtual:calls/otc';
import { invalidateOn } from '../../../lib/live.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { rateText } from '../../../ui/rate-text.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { stateTexts, stateTones } from '../words.ts';

invalidateOn(['otc', 'transaction'], [listOtc]);

/** The company's requests to the desk, the newest first. */
export const requestList = defineList({
  call: listOtc,
  label: 'otc.list',
  name: 'otc',
  filters: [
    { kind: 'search', name: 'keyword', label: 'otc.search' },
    { kind: 'choice', name: 'state', label: 'otc.field.state', options: stateTexts },
  ],
  columns: ({ t }) => [
    {
      id: 'pair',
      header: t('otc.field.pair'),
      card: 'title',
      skeleton: 'w-28',
      cell: ({ sell, buy }) => <span className="font-medium">{`${sell.asset} → ${buy.asset}`}</span>,
    },
    {
      id: 'amount',
      header: t('otc.field.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-28',
      cell: ({ amount, fixed, sell, buy }) => (
        <Money amount={amount} coin={(fixed === 'sell' ? sell : buy).asset} atMost={8} align="right" />
      ),
    },
    {
      id: 'rate',
      header: t('otc.field.rate'),
      align: 'right',
      skeleton: 'w-24',
      cell: ({ quote }) =>
        quote === null ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="figures">{rateText(quote.rate)}</span>
        ),
    },
    {
      id: 'requester',
      header: t('otc.field.requester'),
      skeleton: 'w-24',
      cell: ({ requester }) => requester.name,
    },
    {
      id: 'createdAt',
      header: t('otc.field.createdAt'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ createdAt }) => <Time at={createdAt} />,
    },
    {
      id: 'state',
      header: t('otc.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ state }) => <StatusDot tone={stateTones[state]}>{t(`otc.state.${state}`)}</StatusDot>,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/otc/${id}`,
  add: { text: 'otc.ask', permission: 'exchange.create', href: '/app/otc/ask' },
  export: { text: 'otc.export', permission: 'transaction.export', call: exportOtc, file: 'otc' },
  empty: { icon: 'exchange', title: 'otc.list.empty', text: 'otc.list.emptyText' },
});
