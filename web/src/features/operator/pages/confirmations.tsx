import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { proposalList } from '../lists/proposal-list.tsx';

/** What operators proposed, open and decided. */
export function Page() {
  const t = useText();
  const read = useList(proposalList);
  return (
    <Frame intro={t('ops.proposals.intro')}>
      <ListView list={proposalList} read={read} />
      <Outlet />
    </Frame>
  );
}
