import { listOperatorTrades } from 'virtual:calls/operator-trades';
import { tradeTroubles } from '@causeway/contract/operator-trades-rules.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { refresh_ms } from '../../operator/index.ts';
import { stateTexts } from '../../trades/index.ts';
import { NextStep } from '../components/trade-next-step.tsx';
import { TradeStateWord } from '../components/trade-state-word.tsx';

/** Trades of all companies, those that changed last first. */
export const operatorTradeList = defineList({
  call: listOperatorTrades,
  label: 'ops.title.trades',
  name: 'operator-trades',
  filters: [
    { kind: 'search', name: 'search', label: 'ops.trades.search' },
    { kind: 'choice', name: 'state', label: 'trades.field.state', options: stateTexts },
    {
      kind: 'choice',
      name: 'trouble',
      label: 'ops.trades.trouble',
      options: Object.fromEntries(tradeTroubles.map((trouble) => [trouble, `ops.trades.trouble.${trouble}`])),
    },
    { kind: 'link', name: 'companyId' },
  ],
  columns: ({ t }) => [
    {
      id: 'number',
      header: t('trades.field.number'),
      card: 'title',
      skeleton: 'w-28',
      cell: ({ number, side }) => (
        <span className="inline-flex max-w-52 flex-col">
          <span className="font-medium wrap-anywhere">{number}</span>
          <span className="text-12 font-normal text-faint">{t(`trades.side.${side}`)}</span>
        </span>
      ),
    },
    {
      id: 'company',
      header: t('ops.trades.company'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ company }) => (
        <span className="block max-w-48 truncate" title={company.name}>
          {company.name}
        </span>
      ),
    },
    {
      id: 'other',
      header: t('ops.trades.other'),
      hideable: true,
      card: 'none',
      skeleton: 'w-32',
      cell: ({ side, payer, payee }) => (
        <span className="block max-w-48 truncate">{side === 'buyer' ? payee.name : payer.name}</span>
      ),
    },
    {
      id: 'quantity',
      header: t('trades.field.quantity'),
      align: 'right',
      card: 'figure',
      cell: ({ quantity, asset }) => <Money amount={quantity} coin={asset} atMost={8} align="right" />,
    },
    {
      id: 'frozen',
      header: t('trades.field.frozen'),
      align: 'right',
      card: 'none',
      cell: ({ frozen, asset }) =>
        frozen === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Money amount={frozen} coin={asset} atMost={8} align="right" />
        ),
    },
    {
      id: 'state',
      header: t('trades.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: (trade) => <TradeStateWord trade={trade} />,
    },
    {
      id: 'trouble',
      header: t('ops.trades.trouble'),
      card: 'meta',
      skeleton: 'w-24',
      cell: ({ troubles }) =>
        troubles.length === 0 ? (
          <span className="text-faint">–</span>
        ) : (
          <span className="inline-flex flex-col gap-0.5">
            {troubles.map((trouble) => (
              <StatusDot key={trouble} tone="negative">
                {t(`ops.trades.trouble.${trouble}`)}
              </StatusDot>
            ))}
          </span>
        ),
    },
    {
      id: 'next',
      header: t('trades.field.next'),
      hideable: true,
      card: 'none',
      skeleton: 'w-28',
      cell: (trade) => <NextStep trade={trade} />,
    },
    {
      id: 'time',
      header: t('trades.field.updatedAt'),
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ],
  rowId: ({ company, id }) => `${company.id}/${id}`,
  href: ({ company, id }) => `/app/trades/${company.id}/${id}`,
  empty: { icon: 'exchange', title: 'ops.trades.empty', text: 'ops.trades.emptyText' },
  again_ms: () => refresh_ms,
});
