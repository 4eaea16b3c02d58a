import { exportOperatorTransactions, listOperatorTransactions } from 'virtual:calls/operator-transactions';
import type { OperatorTransaction } from '@causeway/contract/operator-transactions.ts';
import { timelineNotes } from '@causeway/contract/transactions-lives.ts';
import type { Stage } from '@causeway/contract/transactions-rules.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { Time } from '../../../ui/time.tsx';
import {
  Account,
  counterparty,
  signedQuantity,
  stageTexts,
  statusTexts,
  TransactionStatusWord,
  typeTexts,
} from '../../transactions/index.ts';
import { usePaymentFilters } from '../api.ts';

/** Decimals shown in the list; what is beyond them is there on hover and on the page of one. */
const listDecimals = 8;
const dash = <span className="text-faint">–</span>;

/** What is on its way changes without the reader. */
const refresh_ms = 15_000;

/** Transactions of all companies; the ids of sortable columns are the names that the call sorts by. */
export const paymentList = defineList({
  call: listOperatorTransactions,
  label: 'ops.title.payments',
  name: 'operator-payments',
  filters: [
    { kind: 'search', name: 'keyword', label: 'ops.payments.search' },
    {
      kind: 'choice',
      name: 'status',
      label: 'transactions.filter.status',
      options: Object.fromEntries(Object.entries(statusTexts).map(([status, { text }]) => [status, text])),
    },
    { kind: 'choice', name: 'type', label: 'transactions.filter.type', options: typeTexts },
    { kind: 'link', name: 'company' },
    {
      kind: 'choice',
      name: 'stage',
      label: 'ops.payments.stage',
      options: Object.fromEntries(
        Object.entries(stageTexts).flatMap(([stage, { text }]) =>
          timelineNotes.includes(stage as Stage) ? [] : [[stage, text]],
        ),
      ),
      advanced: true,
    },
    { kind: 'choice', name: 'coin', label: 'ops.payments.asset', options: useAssets, advanced: true },
    { kind: 'choice', name: 'chain', label: 'ops.payments.chain', options: useChains, advanced: true },
    { kind: 'dates', label: 'transactions.filter.time', advanced: true },
    { kind: 'amount', name: 'amountMin', label: 'transactions.filter.amountMin', advanced: true },
    { kind: 'amount', name: 'amountMax', label: 'transactions.filter.amountMax', advanced: true },
  ],
  columns: ({ t }) => [
    {
      id: 'time',
      header: t('transactions.column.time'),
      sort: 'server',
      card: 'meta',
      skeleton: 'w-36',
      cell: (row) => <Time at={row.createdAt} />,
    },
    {
      id: 'company',
      header: t('ops.payments.company'),
      card: 'meta',
      skeleton: 'w-32',
      cell: (row) => (
        <span className="block max-w-48 truncate" title={row.company.name}>
          {row.company.name}
        </span>
      ),
    },
    {
      id: 'type',
      header: t('transactions.column.type'),
      card: 'title',
      skeleton: 'w-28',
      cell: (row) => (
        <span className="inline-flex flex-col">
          <span>{t(typeTexts[row.type])}</span>
          <span className="text-12 font-normal text-faint">{row.placeName}</span>
        </span>
      ),
    },
    {
      id: 'party',
      header: t('transactions.column.party'),
      card: 'meta',
      skeleton: 'w-36',
      cell: (row) => {
        if (row.accelerates !== null) return <Accelerated {...row.accelerates} coin={row.coin} />;
        const { name, account } = counterparty(row);
        if (name === null && account === null) return dash;
        return (
          <span className="inline-flex max-w-full flex-col">
            {name !== null && <span className="max-w-48 truncate">{name}</span>}
            {account !== null && (
              <span className={name === null ? '' : 'text-12 text-faint'}>
                <Account value={account} atBank={row.chain === null} />
              </span>
            )}
          </span>
        );
      },
    },
    {
      id: 'amount',
      header: t('transactions.column.amount'),
      sort: 'server',
      align: 'right',
      card: 'figure',
      cell: (row) => <Money amount={signedQuantity(row)} coin={row.coin} signed atMost={listDecimals} align="right" />,
    },
    {
      id: 'value',
      header: t('ops.payments.value'),
      align: 'right',
      hideable: true,
      card: 'none',
      skeleton: 'w-20',
      cell: (row) => (row.usd === null ? dash : <Money amount={row.usd} coin="USD" align="right" />),
    },
    {
      id: 'status',
      header: t('transactions.column.status'),
      card: 'status',
      skeleton: 'w-24',
      cell: (row) => <TransactionStatusWord row={row} />,
    },
    {
      id: 'invoiceNumber',
      header: t('transactions.column.invoiceNumber'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-24',
      cell: (row) => row.invoiceNumber ?? dash,
    },
    {
      id: 'hash',
      header: t('transactions.column.hash'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-32',
      cell: (row) =>
        row.hash === null ? dash : <Address value={row.hash} short what={t('transactions.column.hash')} />,
    },
  ],
  order: { by: 'time', order: 'desc' },
  rowId: (row) => row.id,
  href: (row) => `/app/payments/${row.id}`,
  export: {
    text: 'transactions.export',
    permission: 'operator.look',
    call: exportOperatorTransactions,
    file: 'transactions',
  },
  empty: { title: 'ops.payments.empty', text: 'ops.payments.emptyText' },
  skeletonRows: 10,
  again_ms: (rows) => (rows.some(({ status }) => status === 'pending') ? refresh_ms : null),
});

/** An acceleration pays no one: what it spends is a deposit. */
function Accelerated({ hash, quantity, coin }: NonNullable<OperatorTransaction['accelerates']> & { coin: string }) {
  const t = useText();
  return (
    <span className="inline-flex max-w-full flex-col">
      <span className="flex flex-wrap gap-x-1">
        {t('ops.payments.acceleratedDeposit')} <Money amount={quantity} coin={coin} atMost={listDecimals} />
      </span>
      <span className="text-12 text-faint">
        <Address value={hash} short what={t('transactions.column.hash')} />
      </span>
    </span>
  );
}

function useAssets() {
  return (usePaymentFilters().data?.assets ?? []).map((asset) => ({ value: asset, label: asset }));
}

function useChains() {
  return (usePaymentFilters().data?.chains ?? []).map(({ id, name }) => ({ value: id, label: name }));
}
