import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { transactionList } from '../lists/transaction-list.tsx';

/** Every transaction of the company; details open beside the list. */
export function Page() {
  return (
    <Frame>
      <ListView list={transactionList} read={useList(transactionList)} />
      <Outlet />
    </Frame>
  );
}
