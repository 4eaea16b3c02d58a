import { listDeskRequests } from 'virtual:calls/operator-otc';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { stateTexts, stateTones } from '../../otc/index.ts';
import { again_ms } from '../api.ts';

/** Requests of all companies to the desk, the newest first. */
export const deskList = defineList({
  call: listDeskRequests,
  label: 'ops.title.desk',
  name: 'operator-desk',
  filters: [
    { kind: 'choice', name: 'state', label: 'otc.field.state', options: stateTexts },
    { kind: 'link', name: 'companyId' },
  ],
  columns: ({ t }) => [
    {
      id: 'company',
      header: t('ops.desk.company'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ company, sell, buy }) => (
        <span>
          <span className="font-medium">{company.name}</span>{' '}
          <span className="text-faint">{`${sell.asset} → ${buy.asset}`}</span>
        </span>
      ),
    },
    {
      id: 'amount',
      header: t('otc.field.amount'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-28',
      cell: ({ amount, fixed, sell, buy, usd }) => (
        <Money
          amount={amount}
          coin={(fixed === 'sell' ? sell : buy).asset}
          fiat={{ amount: usd, coin: 'USD' }}
          atMost={8}
          align="right"
        />
      ),
    },
    {
      id: 'deadline',
      header: t('otc.field.deadline'),
      skeleton: 'w-32',
      cell: ({ deadline }) => <Time at={deadline} />,
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
  href: ({ id }) => `/app/desk/${id}`,
  empty: { icon: 'exchange', title: 'ops.desk.empty', text: 'ops.desk.emptyText' },
  again_ms: () => again_ms,
});
