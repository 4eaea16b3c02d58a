import { listPriceHistory } from 'virtual:calls/operator-prices';
import { defineList } from '../../../ui/list-view.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { kindTexts, placeOf, priceStateTexts, priceText, priceTones, sayPrice } from '../words.ts';

/** Every price that was set, the newest first. */
export const priceHistoryList = defineList({
  call: listPriceHistory,
  label: 'ops.title.priceHistory',
  name: 'operator-price-history',
  filters: [
    { kind: 'choice', name: 'kind', label: 'ops.prices.kind', options: kindTexts },
    { kind: 'choice', name: 'state', label: 'ops.field.state', options: priceStateTexts },
    { kind: 'text', name: 'asset', label: 'ops.prices.asset' },
    { kind: 'link', name: 'companyId' },
  ],
  columns: ({ t }) => [
    {
      id: 'price',
      header: t('ops.prices.kind'),
      card: 'title',
      skeleton: 'w-40',
      cell: ({ kind, asset, isCoin, ...price }) => (
        <span className="font-medium">
          {t(priceText(kind, { isCoin }))}{' '}
          <span className="font-normal text-faint">· {[asset, placeOf(price)?.name].filter(Boolean).join(' · ')}</span>
        </span>
      ),
    },
    {
      id: 'value',
      header: t('ops.prices.value'),
      align: 'right',
      skeleton: 'w-20',
      cell: (price) =>
        price.value === null ? t('ops.prices.noOwn') : <span className="figures">{sayPrice(t, price)}</span>,
    },
    {
      id: 'company',
      header: t('ops.prices.for'),
      skeleton: 'w-28',
      cell: ({ company }) => company?.name ?? t('ops.prices.everyCompany'),
    },
    {
      id: 'validFrom',
      header: t('ops.prices.validFrom'),
      skeleton: 'w-36',
      cell: ({ validFrom }) => <Time at={validFrom} />,
    },
    {
      id: 'by',
      header: t('ops.prices.by'),
      hideable: true,
      card: 'none',
      skeleton: 'w-32',
      cell: ({ proposal, setBy }) =>
        proposal === null ? (setBy ?? '') : `${proposal.proposedBy} · ${proposal.confirmedBy}`,
    },
    {
      id: 'state',
      header: t('ops.field.state'),
      skeleton: 'w-20',
      cell: ({ state }) => <StatusDot tone={priceTones[state]}>{t(`ops.priceState.${state}`)}</StatusDot>,
    },
  ],
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/price-history/${id}`,
  empty: { icon: 'exchange', title: 'ops.prices.noHistory', text: 'ops.prices.noHistoryText' },
});
