import { Navigate, useParams } from '@tanstack/react-router';
import { usePermission } from '../../../lib/permission.ts';
import { Page as Frame } from '../../../ui/page.tsx';
import { Loading, Skeleton } from '../../../ui/states.tsx';
import { TaskList } from '../components/task-list.tsx';

/**
 * All applications, for those who manage rules. Notices and mails link here, to one application each; other readers
 * continue to it beside a list that they may read.
 */
export function Page() {
  const { id } = useParams({ strict: false }) as { id?: string };
  const managesRules = usePermission('rule.manage');
  const decides = usePermission('approval.decide');
  if (managesRules === undefined) {
    return (
      <Frame>
        <Loading loading skeleton={<Skeleton height="h-64" />}>
          {null}
        </Loading>
      </Frame>
    );
  }
  if (managesRules) return <TaskList view="all" />;
  const list = decides === true ? '/app/pending-approval' : '/app/i-initiated-approval';
  return <Navigate to={(id === undefined ? list : `${list}/${id}`) as string} replace />;
}
