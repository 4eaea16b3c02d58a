import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { announcementList } from '../lists/announcement-list.tsx';

/** What the operator writes to companies. */
export function Page() {
  const t = useText();
  const read = useList(announcementList);
  return (
    <Frame intro={t('ops.announcements.intro')}>
      <ListView list={announcementList} read={read} />
      <Outlet />
    </Frame>
  );
}
