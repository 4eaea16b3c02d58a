import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Tabs } from '../../../ui/tabs.tsx';
import { bankPayeeList } from '../lists/bank-payee-list.tsx';
import { payeeList } from '../lists/payee-list.tsx';

const tabNames = ['tab'] as const;

/** The payee book: withdrawal addresses and receiving bank accounts. */
export function Page() {
  const t = useText();
  const tab = useListState(tabNames);
  const shown = tab.filters.tab === 'bank' ? 'bank' : 'crypto';
  return (
    <Frame>
      <Tabs
        label={t('payees.tabs')}
        tabs={[
          { key: 'crypto', label: t('payees.tab.crypto') },
          { key: 'bank', label: t('payees.tab.bank') },
        ]}
        value={shown}
        onChange={(next) => tab.setFilters({ tab: next === 'bank' ? 'bank' : null })}
      >
        {shown === 'bank' ? <BankAccounts /> : <AddressBook />}
      </Tabs>
      <Outlet />
    </Frame>
  );
}

function AddressBook() {
  return <ListView list={payeeList} read={useList(payeeList)} />;
}

function BankAccounts() {
  return <ListView list={bankPayeeList} read={useList(bankPayeeList)} />;
}
