import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { hedgeList } from '../lists/hedge-list.tsx';

/** Orders with which the platform has hedged its position. */
export function Page() {
  const t = useText();
  const read = useList(hedgeList);
  return (
    <Frame intro={t('ops.hedges.intro')}>
      <ListView list={hedgeList} read={read} />
      <Outlet />
    </Frame>
  );
}
