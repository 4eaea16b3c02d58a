import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { PendingChanges } from '../../control/index.ts';
import { memberList } from '../lists/member-list.tsx';
import { memberKinds } from '../words.ts';

/** The company's members; each opens beside the list. */
export function Page() {
  return (
    <Frame>
      <PendingChanges kinds={memberKinds} />
      <ListView list={memberList} read={useList(memberList)} />
      <Outlet />
    </Frame>
  );
}
