import { listBankPayees } from 'virtual:calls/bank-payees';
import { currencyCodes } from '@causeway/contract/currencies.ts';
import { defineList } from '../../../ui/list-view.tsx';
import { AccountMarks } from '../components/account-marks.tsx';
import { PayeeStatusCell } from '../components/payee-status.tsx';
import { useCountryChoices } from '../countries.ts';
import { addedColumn, labelColumn, remarkColumn, statusFilter } from './shared-columns.tsx';

/** The payee book: receiving bank accounts, the newest first. */
export const bankPayeeList = defineList({
  call: listBankPayees,
  label: 'payees.bank.list',
  name: 'bankPayees',
  filters: [
    { kind: 'search', name: 'keyword', label: 'payees.bank.search' },
    { kind: 'choice', name: 'currency', label: 'payees.bank.currency', options: useCurrencyChoices },
    { kind: 'choice', name: 'country', label: 'payees.bank.country', options: useCountryChoices },
    statusFilter,
    {
      kind: 'choice',
      name: 'mark',
      label: 'payees.bank.mark',
      options: { changed: 'payees.bank.mark.changed', address: 'payees.bank.mark.address' },
      advanced: true,
    },
    {
      kind: 'choice',
      name: 'holder',
      label: 'payees.bank.holder',
      options: { enterprise: 'payees.bank.holder.enterprise', personal: 'payees.bank.holder.personal' },
      advanced: true,
    },
  ],
  columns: ({ t }) => [
    labelColumn(t),
    {
      id: 'name',
      header: t('payees.bank.name'),
      skeleton: 'w-36',
      cell: ({ account }) => <span className="line-clamp-2 max-w-60 break-words">{account.name}</span>,
    },
    {
      id: 'account',
      header: t('payees.bank.account'),
      skeleton: 'w-36',
      cell: ({ account }) => (
        <span className="inline-flex max-w-60 flex-col">
          <span className="figures break-all">{account.account}</span>
          {account.bankName !== null && (
            <span className="line-clamp-1 text-12 text-faint" title={account.bankName}>
              {account.bankName}
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'currency',
      header: t('payees.bank.currency'),
      skeleton: 'w-14',
      cell: ({ account }) => `${account.currency} · ${account.country}`,
    },
    remarkColumn(t),
    {
      id: 'status',
      header: t('payees.status'),
      skeleton: 'w-16',
      cell: (payee) => (
        <span className="inline-flex flex-col items-start gap-1">
          <PayeeStatusCell payee={payee} />
          <AccountMarks payee={payee} />
        </span>
      ),
    },
    addedColumn(t),
  ],
  rowId: (payee) => payee.id,
  href: (payee) => `/app/payee/bank/${payee.id}`,
  add: { text: 'payees.bank.add', permission: 'payee.manage', href: '/app/payee/bank/add' },
  empty: { icon: 'user', title: 'payees.bank.empty', text: 'payees.bank.emptyText' },
});

function useCurrencyChoices() {
  return currencyCodes.map((currency) => ({ value: currency, label: currency }));
}
