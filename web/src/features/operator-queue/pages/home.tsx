import { Outlet } from '@tanstack/react-router';
import { useList } from '../../../lib/list.ts';
import { useListState } from '../../../lib/list-state.ts';
import { useText } from '../../../lib/locale.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { Loading, Skeleton } from '../../../ui/states.tsx';
import { TabLinks } from '../../../ui/tab-links.tsx';
import { OpenProposals } from '../../operator/index.ts';
import { useSummary } from '../api.ts';
import { Figures } from '../components/figures.tsx';
import { openList, resolvedList } from '../lists/queue-list.tsx';

const names = ['state'] as const;

/** What needs a person: the figures of the queue, its rows, and beneath them what colleagues proposed. */
export function Page() {
  const t = useText();
  const { data, error } = useSummary();
  const isResolved = useListState(names).filters.state === 'resolved';
  return (
    <Frame>
      {/* Where the figures cannot be read, the list beneath says so. */}
      {!(data === undefined && error !== null) && (
        <Loading loading={data === undefined} skeleton={<Skeleton height="h-36" />}>
          {data && data.kinds.length > 0 && <Figures summary={data} />}
        </Loading>
      )}
      <div className="flex min-w-0 flex-col gap-5">
        <TabLinks
          label={t('ops.queue.states')}
          links={[
            { label: t('ops.queue.state.open'), href: '/app/home', current: !isResolved },
            { label: t('ops.queue.state.resolved'), href: '/app/home?state=resolved', current: isResolved },
          ]}
        />
        {isResolved ? <Resolved /> : <Open />}
      </div>
      <OpenProposals />
      <Outlet />
    </Frame>
  );
}

const openOnly = { state: 'open' };
const resolvedOnly = { state: 'resolved' };

function Open() {
  return <ListView list={openList} read={useList(openList, openOnly)} />;
}

function Resolved() {
  return <ListView list={resolvedList} read={useList(resolvedList, resolvedOnly)} />;
}
