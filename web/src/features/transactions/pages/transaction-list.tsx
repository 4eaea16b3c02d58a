import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { WaitingRecharges } from '../../wallets/index.ts';
import { SavedFilters } from '../components/saved-filters.tsx';
import { transactionList } from '../lists/transaction-list.tsx';

/** Every transaction of the company, below what has been announced to arrive; details open beside the list. */
export function Page() {
  const read = useList(transactionList);
  return (
    <Frame>
      <WaitingRecharges />
      <ListView list={transactionList} read={read} actions={<SavedFilters state={read.state} />} />
      <Outlet />
    </Frame>
  );
}
