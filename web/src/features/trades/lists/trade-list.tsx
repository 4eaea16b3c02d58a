import { exportTrades, listTrades } from 'virtual:calls/trades';
import type { Trade } from '@causeway/contract/trades.ts';
import { invalidateOn } from '../../../lib/live.ts';
import { Address } from '../../../ui/address.tsx';
import type { Column } from '../../../ui/data-table.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useWallets } from '../../wallets/index.ts';
import { NextActor } from '../components/next-actor.tsx';
import { actorTexts, sideTexts, stateTexts, stateTones } from '../words.ts';

invalidateOn(['trade', 'transaction', 'approval'], [listTrades]);

/** The company's guaranteed trades, those that changed last first. */
export const tradeList = defineList({
  call: listTrades,
  label: 'trades.list',
  name: 'trades',
  filters: [
    { kind: 'search', name: 'search', label: 'trades.search' },
    { kind: 'choice', name: 'state', label: 'trades.field.state', options: stateTexts },
    { kind: 'choice', name: 'side', label: 'trades.field.side', options: sideTexts },
    { kind: 'choice', name: 'actor', label: 'trades.field.actor', options: actorTexts, advanced: true },
    { kind: 'choice', name: 'asset', label: 'trades.field.asset', options: useAssets, advanced: true },
    { kind: 'choice', name: 'chain', label: 'trades.field.chain', options: useChainChoices, advanced: true },
  ],
  columns: ({ t }) => [
    {
      id: 'number',
      header: t('trades.field.number'),
      card: 'title',
      skeleton: 'w-28',
      cell: ({ number, side }) => (
        <span className="inline-flex min-w-28 max-w-60 flex-col">
          <span className="font-medium wrap-anywhere">{number}</span>
          <span className="text-12 font-normal text-faint">{t(`trades.side.${side}`)}</span>
        </span>
      ),
    },
    {
      id: 'state',
      header: t('trades.field.state'),
      card: 'status',
      skeleton: 'w-24',
      cell: ({ state, phase }) => (
        <StatusDot
          tone={state === 'in_progress' && phase === 'disputed' ? 'negative' : stateTones[state]}
          {...(state === 'in_progress' && { detail: t(`trades.phase.${phase}`) })}
        >
          {t(`trades.state.${state}`)}
        </StatusDot>
      ),
    },
    amountColumn('quantity', t('trades.field.quantity'), ({ quantity }) => quantity, 'figure'),
    amountColumn('frozen', t('trades.field.frozen'), ({ frozen }) => frozen),
    {
      id: 'asset',
      header: t('trades.field.asset'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-12',
      cell: ({ asset }) => asset,
    },
    {
      id: 'chain',
      header: t('trades.field.chain'),
      hideable: true,
      skeleton: 'w-20',
      cell: ({ chainName }) => chainName,
    },
    {
      id: 'payee',
      header: t('trades.field.payee'),
      hideable: true,
      skeleton: 'w-36',
      cell: ({ payee }) => <Party {...payee} />,
    },
    {
      id: 'payer',
      header: t('trades.field.payer'),
      hideable: true,
      skeleton: 'w-36',
      cell: ({ payer }) => <Party {...payer} />,
    },
    {
      id: 'payerWallet',
      header: t('trades.field.payerWallet'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-32',
      cell: ({ payer }) => <Address value={payer.wallet} short what={t('trades.field.payerWallet')} />,
    },
    {
      id: 'billOfLading',
      header: t('trades.field.billOfLading'),
      hideable: true,
      skeleton: 'w-24',
      cell: ({ billOfLading }) => billOfLading ?? <Dash />,
    },
    {
      id: 'hash',
      header: t('trades.field.hash'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-32',
      cell: ({ hash }) => (hash === null ? <Dash /> : <Address value={hash} short what={t('trades.field.hash')} />),
    },
    {
      id: 'deadline',
      header: t('trades.field.next'),
      sort: 'server',
      skeleton: 'w-28',
      cell: (trade) => <NextActor trade={trade} />,
    },
    {
      id: 'time',
      header: t('trades.field.updatedAt'),
      sort: 'server',
      hideable: true,
      hiddenAtFirst: true,
      card: 'meta',
      skeleton: 'w-32',
      cell: ({ updatedAt }) => <Time at={updatedAt} />,
    },
  ],
  order: { by: 'time', order: 'desc' },
  rowId: ({ id }) => id,
  href: ({ id }) => `/app/wallet/tradego/${id}`,
  export: { text: 'trades.export', permission: 'transaction.export', call: exportTrades, file: 'trades' },
  empty: { icon: 'shield', title: 'trades.list.empty', text: 'trades.list.emptyText' },
});

function amountColumn(
  id: string,
  header: string,
  amountOf: (trade: Trade) => string | null,
  card?: 'figure',
): Column<Trade> {
  return {
    id,
    header,
    align: 'right',
    skeleton: 'w-28',
    ...(card && { card }),
    cell: (trade) => {
      const amount = amountOf(trade);
      return amount === null ? <Dash /> : <Money amount={amount} coin={trade.asset} atMost={8} align="right" />;
    },
  };
}

function Party({ name, address }: Trade['payer']) {
  return (
    <span className="inline-flex max-w-52 flex-col">
      <span className="line-clamp-2">{name}</span>
      <span className="line-clamp-2 text-12 text-faint">{address}</span>
    </span>
  );
}

function Dash() {
  return <span className="text-faint">–</span>;
}

function useAssets() {
  const assets = new Set((useWallets().data?.items ?? []).map(({ asset }) => asset));
  return [...assets].map((asset) => ({ value: asset, label: asset }));
}

function useChainChoices() {
  const places = (useWallets().data?.items ?? []).flatMap(({ place }) => (place.kind === 'chain' ? [place] : []));
  return [...new Map(places.map(({ chain, name }) => [chain, { value: chain, label: name }])).values()];
}
