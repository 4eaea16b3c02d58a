import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import type { ApprovalView } from '@causeway/contract/approvals-rules.ts';
import { Outlet } from '@tanstack/react-router';
import { useState } from 'react';
import { useList } from '../../../lib/list.ts';
import { useText } from '../../../lib/locale.tsx';
import { usePermission } from '../../../lib/permission.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page as Frame } from '../../../ui/page.tsx';
import { taskLists } from '../lists/task-list.tsx';
import { DecideDialog } from './decide-dialog.tsx';

/** One of the approval lists; pending tasks are decided on one by one or many at once. */
export function TaskList({ view }: { view: ApprovalView }) {
  const list = taskLists[view];
  const read = useList(list, { view });
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const mayDecide = usePermission('approval.decide');
  // Those that have left the list since are no longer ticked.
  const ticked = (read.answer.data?.items ?? []).filter((task) => ids.has(task.id));
  return (
    <Frame>
      <ListView
        list={list}
        read={read}
        {...(view === 'pending' && mayDecide && { selection: { ids, set: setIds } })}
        {...(ticked.length > 0 && { actions: <Decide tasks={ticked} onDone={() => setIds(new Set())} /> })}
      />
      <Outlet />
    </Frame>
  );
}

function Decide({ tasks, onDone }: { tasks: readonly ApprovalTask[]; onDone: () => void }) {
  const t = useText();
  const [outcome, setOutcome] = useState<'approved' | 'rejected' | null>(null);
  return (
    <>
      <Button onClick={() => setOutcome('rejected')}>{t('approvals.rejectMany', { count: tasks.length })}</Button>
      <Button kind="primary" onClick={() => setOutcome('approved')}>
        {t('approvals.approveMany', { count: tasks.length })}
      </Button>
      {outcome !== null && (
        <DecideDialog tasks={tasks} outcome={outcome} onClose={() => setOutcome(null)} onDone={onDone} />
      )}
    </>
  );
}
