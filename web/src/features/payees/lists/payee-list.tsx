import { listCryptoPayees } from 'virtual:calls/payees';
import { Address } from '../../../ui/address.tsx';
import { defineList } from '../../../ui/list-view.tsx';
import { usePayeeChains } from '../api.ts';
import { PayeeStatusCell } from '../components/payee-status.tsx';
import { addedColumn, labelColumn, remarkColumn, statusFilter } from './shared-columns.tsx';

/** The payee book: saved withdrawal addresses, the newest first. */
export const payeeList = defineList({
  call: listCryptoPayees,
  label: 'payees.list',
  name: 'payees',
  filters: [
    { kind: 'search', name: 'keyword', label: 'payees.search' },
    { kind: 'choice', name: 'chain', label: 'payees.chain', options: useChainChoices },
    { kind: 'choice', name: 'coin', label: 'payees.coin', options: useCoinChoices },
    statusFilter,
  ],
  columns: ({ t }) => [
    labelColumn(t),
    { id: 'coin', header: t('payees.coin'), skeleton: 'w-14', cell: (payee) => payee.coin },
    { id: 'chain', header: t('payees.chain'), skeleton: 'w-20', cell: (payee) => payee.chainName },
    {
      id: 'address',
      header: t('payees.address'),
      skeleton: 'w-36',
      cell: (payee) => <Address value={payee.address} short what={t('payees.address')} />,
    },
    remarkColumn(t),
    {
      id: 'status',
      header: t('payees.status'),
      skeleton: 'w-16',
      cell: (payee) => <PayeeStatusCell payee={payee} />,
    },
    addedColumn(t),
  ],
  rowId: (payee) => payee.id,
  href: (payee) => `/app/payee/${payee.id}`,
  add: { text: 'payees.add', permission: 'payee.manage', href: '/app/payee/add' },
  empty: { icon: 'user', title: 'payees.empty', text: 'payees.emptyText' },
});

function useChainChoices() {
  return (usePayeeChains().data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }));
}

function useCoinChoices() {
  const chains = usePayeeChains().data?.items ?? [];
  const coins = new Set(chains.flatMap((chain) => chain.coins.map(({ coin }) => coin)));
  return [...coins].map((coin) => ({ value: coin, label: coin }));
}
