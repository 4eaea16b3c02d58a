import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useWithdraw } from '../api.ts';
import { DecisionSummary } from './decision-summary.tsx';

/** Takes one's own application back: the transfer is cancelled and its hold given back. */
export function WithdrawTask({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdraw(() => {
    setAsking(false);
    toast('success', t('approvals.withdrawn'));
  });
  return (
    <>
      <Button onClick={() => setAsking(true)}>{t('approvals.withdraw')}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t('approvals.withdraw.title')}
        description={t('approvals.withdraw.text')}
        confirmText={t('approvals.withdraw')}
        cancelText={t('approvals.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        onConfirm={() =>
          withdraw.mutate(
            { body: { id: task.subjectId } },
            // Too late: the page shows what became of it.
            { onError: (error) => error.refused && setAsking(false) },
          )
        }
      >
        <DecisionSummary tasks={[task]} />
      </ConfirmDialog>
    </>
  );
}
