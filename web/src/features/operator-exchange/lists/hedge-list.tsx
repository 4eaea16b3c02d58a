import { listHedgeOrders } from 'virtual:calls/operator-exchange';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { hedgeStateTexts, hedgeTones, liveStates } from '../words.ts';

const soon_ms = 3000;
const later_ms = 15_000;

/** Orders at venues, the newest first; read again while one is under way. */
export const hedgeList = defineList({
  call: listHedgeOrders,
  label: 'ops.title.hedges',
  name: 'operator-hedges',
  filters: [
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: hedgeStateTexts },
    { kind: 'text', name: 'asset', label: 'ops.field.asset' },
  ],
  columns: ({ t }) => [
    {
      id: 'what',
      header: t('ops.hedge.order'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ side, asset, counter, venue }) => (
        <span>
          <span className="font-medium">{t(`ops.hedge.${side}`, { asset })}</span>{' '}
          <span className="text-faint">{`${counter} · ${venue}`}</span>
        </span>
      ),
    },
    {
      id: 'quantity',
      header: t('ops.hedge.quantity'),
      align: 'right',
      skeleton: 'w-24',
      cell: ({ quantity, asset }) => <Money amount={quantity} coin={asset} atMost={8} align="right" />,
    },
    {
      id: 'filled',
      header: t('ops.hedge.filled'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-24',
      cell: ({ filled, asset }) => <Money amount={filled} coin={asset} atMost={8} align="right" />,
    },
    {
      id: 'price',
      header: t('ops.hedge.average'),
      align: 'right',
      skeleton: 'w-24',
      cell: ({ averagePrice, counter }) =>
        averagePrice === null ? '–' : <Money amount={averagePrice} coin={counter} align="right" />,
    },
    { id: 'at', header: t('ops.hedge.createdAt'), skeleton: 'w-32', cell: ({ createdAt }) => <Time at={createdAt} /> },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: ({ state, reason }) => (
        <StatusDot tone={hedgeTones[state]} detail={reason}>
          {t(`ops.hedgeState.${state}`)}
        </StatusDot>
      ),
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/exchange/hedges/${id}`,
  empty: { icon: 'exchange', title: 'ops.hedges.empty', text: 'ops.hedges.emptyText' },
  again_ms: (rows) => (rows.some(({ state }) => liveStates.has(state)) ? soon_ms : later_ms),
});
