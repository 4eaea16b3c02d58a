import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useWithdraw } from '../api.ts';
import { DecisionSummary } from './decision-summary.tsx';
import { ChangeDifference } from './task-change.tsx';

const texts = {
  payment: { title: 'approvals.withdraw.title', text: 'approvals.withdraw.text', done: 'approvals.withdrawn' },
  exchange: {
    title: 'approvals.withdrawExchange.title',
    text: 'approvals.withdrawExchange.text',
    done: 'approvals.withdrawExchange.done',
  },
  batch: {
    title: 'approvals.withdrawBatch.title',
    text: 'approvals.withdrawBatch.text',
    done: 'approvals.withdrawBatch.done',
  },
  account: {
    title: 'approvals.withdrawPayee.title',
    text: 'approvals.withdrawPayee.text',
    done: 'approvals.withdrawPayee.done',
  },
  changedAccount: {
    title: 'approvals.withdrawAccount.title',
    text: 'approvals.withdrawAccount.text',
    done: 'approvals.withdrawAccount.done',
  },
  change: {
    title: 'approvals.withdrawChange.title',
    text: 'approvals.withdrawChange.text',
    done: 'approvals.withdrawChange.done',
  },
} as const;

/** Takes back what the reader applied for or proposed; what it holds is given back. */
export function Withdraw({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const { title, text, done } =
    texts[task.content.shape === 'account' && task.content.changed ? 'changedAccount' : task.shape];
  const withdraw = useWithdraw(() => {
    setAsking(false);
    toast('success', t(done));
  });
  return (
    <>
      {task.mayWithdraw && <Button onClick={() => setAsking(true)}>{t('approvals.withdraw')}</Button>}
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={t(title)}
        description={t(text)}
        confirmText={t('approvals.withdraw')}
        cancelText={t('approvals.withdraw.keep')}
        negative
        busy={withdraw.isPending}
        onConfirm={() => withdraw.mutate({ body: { id: task.id } })}
      >
        {task.content.shape === 'change' ? (
          <ChangeDifference change={task.content} />
        ) : (
          <DecisionSummary tasks={[task]} />
        )}
      </ConfirmDialog>
    </>
  );
}
