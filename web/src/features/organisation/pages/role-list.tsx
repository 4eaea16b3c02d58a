import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { roleList } from '../lists/role-list.tsx';

/** The roles of the company; each opens beside the list. */
export function Page() {
  return (
    <Frame>
      <ListView list={roleList} read={useList(roleList)} />
      <Outlet />
    </Frame>
  );
}
