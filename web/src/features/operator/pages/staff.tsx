import { Outlet } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { staffList } from '../lists/staff-list.tsx';

// Dialogs weigh more than the list itself, and most visits open none.
const InviteDialog = lazy(async () => ({ default: (await import('../components/invite-dialog.tsx')).InviteDialog }));

/** The people who work with this console, and what they may do. */
export function Page() {
  const t = useText();
  const read = useList(staffList);
  const [inviting, setInviting] = useState(false);
  return (
    <Frame intro={t('ops.staff.intro')}>
      <ListView list={staffList} read={read} onAdd={() => setInviting(true)} />
      {inviting && (
        <Suspense>
          <InviteDialog onClose={() => setInviting(false)} />
        </Suspense>
      )}
      <Outlet />
    </Frame>
  );
}
