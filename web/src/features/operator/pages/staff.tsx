import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { InviteDialog } from '../components/invite-dialog.tsx';
import { staffList } from '../lists/staff-list.tsx';

/** The people who work with this console, and what they may do. */
export function Page() {
  const t = useText();
  const read = useList(staffList);
  const [inviting, setInviting] = useState(false);
  return (
    <Frame intro={t('ops.staff.intro')}>
      <ListView list={staffList} read={read} onAdd={() => setInviting(true)} />
      {inviting && <InviteDialog onClose={() => setInviting(false)} />}
      <Outlet />
    </Frame>
  );
}
