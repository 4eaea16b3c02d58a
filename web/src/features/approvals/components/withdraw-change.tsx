import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useWithdrawChange } from '../api.ts';
import { TaskChange } from './task-change.tsx';

/** Takes back a change of the rules that the reader proposed. */
export function WithdrawChange({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawChange(() => {
    setAsking(false);
    toast('success', t('approvals.withdrawChange.done'));
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('approvals.withdraw')}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('approvals.withdrawChange.title')}
        description={t('approvals.withdrawChange.text')}
        confirmText={t('approvals.withdraw')}
        cancelText={t('approvals.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        onConfirm={() =>
          withdraw.mutate(
            { body: { id: task.id } },
            // Too late: the page shows what became of it.
            { onError: (error) => error.refused && setAsking(false) },
          )
        }
      >
        <TaskChange task={task} />
      </ConfirmDialog>
    </>
  );
}
