import { exportTransactions, listTransactions } from 'virtual:calls/transactions';
import type { Transaction } from '@causeway/contract/transactions.ts';
import { invalidateOn } from '../../../lib/live.ts';
import { useText } from '../../../lib/locale.tsx';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { Money } from '../../../ui/money.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { Time } from '../../../ui/time.tsx';
import { useWallets, walletName } from '../../wallets/index.ts';
import { useCategories } from '../api.ts';
import { Account } from '../components/account.tsx';
import { TransactionStatusWord } from '../components/transaction-status.tsx';
import { useBatchChoices, useCardChoices, useRequestChoices, useRunChoices } from '../late-choices.ts';
import { counterparty, signedQuantity, statusTexts, typeTexts } from '../words.ts';

invalidateOn(['transaction'], [listTransactions]);

/** Decimals shown in the list; what is beyond them is there on hover and in the detail. */
const listDecimals = 8;

/** Every transaction of the company; the ids of sortable columns are the names that the call sorts by. */
export const transactionList = defineList({
  call: listTransactions,
  label: 'transactions.list',
  name: 'transactions',
  filters: [
    { kind: 'search', name: 'keyword', label: 'transactions.search' },
    { kind: 'choice', name: 'type', label: 'transactions.filter.type', options: typeTexts },
    {
      kind: 'choice',
      name: 'status',
      label: 'transactions.filter.status',
      options: Object.fromEntries(Object.entries(statusTexts).map(([status, { text }]) => [status, text])),
    },
    { kind: 'choice', name: 'coin', label: 'transactions.filter.coin', options: useAssets, advanced: true },
    {
      kind: 'choice',
      name: 'walletId',
      label: 'transactions.filter.wallet',
      options: useWalletChoices,
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'category',
      label: 'transactions.column.category',
      options: useCategoryChoices,
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'batchId',
      label: 'transactions.filter.batch',
      options: useBatchChoices,
      narrowedBy: 'batchRunId',
      optional: true,
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'batchRunId',
      label: 'transactions.filter.batchRun',
      options: useRunChoices,
      optional: true,
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'request',
      label: 'app.menu.uCollection',
      options: useRequestChoices,
      optional: true,
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'cardId',
      label: 'transactions.filter.card',
      options: useCardChoices,
      optional: true,
      advanced: true,
    },
    { kind: 'text', name: 'invoiceNumber', label: 'transactions.column.invoiceNumber', advanced: true },
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
      cell: (row) => <Party row={row} />,
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
      header: t('transactions.column.value'),
      align: 'right',
      hideable: true,
      skeleton: 'w-20',
      cell: (row) => <Value row={row} />,
    },
    {
      id: 'fee',
      header: t('transactions.column.fee'),
      align: 'right',
      hideable: true,
      card: 'none',
      skeleton: 'w-16',
      cell: (row) =>
        /[1-9]/.test(row.fee) ? (
          <Money amount={row.fee} coin={row.coin} atMost={listDecimals} align="right" />
        ) : (
          <span className="text-faint">–</span>
        ),
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
      cell: (row) => row.invoiceNumber ?? <span className="text-faint">–</span>,
    },
    {
      id: 'category',
      header: t('transactions.column.category'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-20',
      cell: (row) => row.category ?? <span className="text-faint">–</span>,
    },
    {
      id: 'hash',
      header: t('transactions.column.hash'),
      hideable: true,
      hiddenAtFirst: true,
      card: 'none',
      skeleton: 'w-32',
      cell: (row) =>
        row.hash === null ? (
          <span className="text-faint">–</span>
        ) : (
          <Address value={row.hash} short what={t('transactions.column.hash')} />
        ),
    },
  ],
  order: { by: 'time', order: 'desc' },
  rowId: (row) => row.id,
  href: (row) => `/app/transaction/${row.id}`,
  export: {
    text: 'transactions.export',
    permission: 'transaction.export',
    call: exportTransactions,
    file: 'transactions',
  },
  empty: {
    title: 'transactions.list.empty',
    text: 'transactions.list.emptyText',
    step: { text: 'app.title.recharge', href: '/app/wallet/recharge' },
  },
  skeletonRows: 10,
});

function useAssets() {
  const assets = new Set((useWallets().data?.items ?? []).map(({ asset }) => asset));
  return [...assets].map((asset) => ({ value: asset, label: asset }));
}

function useCategoryChoices() {
  return (useCategories().data ?? []).map(({ name }) => ({ value: name, label: name }));
}

function useWalletChoices() {
  return (useWallets().data?.items ?? []).map((wallet) => ({ value: wallet.id, label: walletName(wallet) }));
}

/** In the base currency; in US dollars where no exchange rate of that day is known. */
function Value({ row: { value } }: { row: Transaction }) {
  const { base, usd } = value;
  if (base.amount !== null) return <Money amount={base.amount} coin={base.currency} align="right" />;
  return usd === null ? <span className="text-faint">–</span> : <Money amount={usd} coin="USD" align="right" />;
}

function Party({ row }: { row: Transaction }) {
  const { name, account } = counterparty(row);
  if (name === null && account === null) return <span className="text-faint">–</span>;
  const isChanged = row.payeeChangedUntil !== null;
  return (
    <span className="inline-flex max-w-full flex-col">
      {name !== null && <span className="max-w-48 truncate">{name}</span>}
      {account !== null && (
        <span className={name === null ? '' : 'text-12 text-faint'}>
          <Account value={account} atBank={row.chain === null} />
        </span>
      )}
      {isChanged && <ChangedMark />}
    </span>
  );
}

/** The payee's account had been changed shortly before this payment. */
function ChangedMark() {
  const t = useText();
  return (
    <span className="text-12">
      <StatusDot tone="pending">{t('transactions.accountChanged')}</StatusDot>
    </span>
  );
}
