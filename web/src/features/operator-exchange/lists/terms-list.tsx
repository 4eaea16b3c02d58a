import { listExchangeTerms } from 'virtual:calls/operator-exchange';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { termsStateTexts, termsTones } from '../words.ts';

/** What is added to spreads, the newest first. */
export const termsList = defineList({
  call: listExchangeTerms,
  label: 'ops.title.exchangeTerms',
  name: 'operator-exchange-terms',
  filters: [
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: termsStateTexts },
    { kind: 'text', name: 'asset', label: 'ops.field.asset' },
    { kind: 'link', name: 'companyId' },
  ],
  columns: ({ t }) => [
    {
      id: 'pair',
      header: t('ops.terms.pair'),
      card: 'title',
      skeleton: 'w-32',
      cell: ({ sell, buy }) => (
        <span className="font-medium">{`${sell ?? t('ops.terms.any')} → ${buy ?? t('ops.terms.any')}`}</span>
      ),
    },
    {
      id: 'points',
      header: t('ops.terms.points'),
      align: 'right',
      card: 'figure',
      skeleton: 'w-20',
      cell: ({ basisPoints }) =>
        basisPoints === null ? t('ops.terms.noOwn') : t('ops.terms.basisPoints', { points: basisPoints }),
    },
    {
      id: 'from',
      header: t('ops.terms.fromUsd'),
      align: 'right',
      skeleton: 'w-24',
      cell: ({ fromUsd }) => <Money amount={fromUsd} coin="USD" align="right" />,
    },
    {
      id: 'company',
      header: t('ops.terms.for'),
      skeleton: 'w-28',
      cell: ({ company }) => company?.name ?? t('ops.terms.everyCompany'),
    },
    {
      id: 'validFrom',
      header: t('ops.terms.validFrom'),
      skeleton: 'w-32',
      cell: ({ validFrom }) => <Time at={validFrom} />,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      card: 'status',
      skeleton: 'w-20',
      cell: ({ state }) => <StatusDot tone={termsTones[state]}>{t(`ops.termsState.${state}`)}</StatusDot>,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/exchange/terms/${id}`,
  empty: { icon: 'exchange', title: 'ops.terms.empty', text: 'ops.terms.emptyText' },
});
