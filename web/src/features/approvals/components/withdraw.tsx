import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { type ReactNode, useState } from 'react';
import type { ApiError } from '../../../lib/api-error.ts';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { useWithdraw, useWithdrawChange } from '../api.ts';
import { DecisionSummary } from './decision-summary.tsx';
import { TaskChange } from './task-change.tsx';

/** Takes one's own application back: the transfer is cancelled and its hold given back. */
export function WithdrawTask({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdraw(() => {
    setAsking(false);
    toast('success', t('approvals.withdrawn'));
  });
  return (
    <Withdrawal
      asking={asking}
      onAsking={setAsking}
      title={t('approvals.withdraw.title')}
      text={t('approvals.withdraw.text')}
      busy={withdraw.isPending}
      onConfirm={(onError) => withdraw.mutate({ body: { id: task.subjectId } }, { onError })}
    >
      <DecisionSummary tasks={[task]} />
    </Withdrawal>
  );
}

/** Takes back a change of the rules that the reader proposed. */
export function WithdrawChange({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState(false);
  const withdraw = useWithdrawChange(() => {
    setAsking(false);
    toast('success', t('approvals.withdrawChange.done'));
  });
  return (
    <Withdrawal
      asking={asking}
      onAsking={setAsking}
      title={t('approvals.withdrawChange.title')}
      text={t('approvals.withdrawChange.text')}
      busy={withdraw.isPending}
      onConfirm={(onError) => withdraw.mutate({ body: { id: task.id } }, { onError })}
    >
      <TaskChange task={task} />
    </Withdrawal>
  );
}

interface WithdrawalProps {
  asking: boolean;
  onAsking: (asking: boolean) => void;
  title: string;
  text: string;
  busy: boolean;
  onConfirm: (onError: (error: ApiError) => void) => void;
  /** What is taken back, repeated. */
  children: ReactNode;
}

/** The button and its question. */
function Withdrawal({ asking, onAsking, title, text, busy, onConfirm, children }: WithdrawalProps) {
  const t = useText();
  // Too late: the page shows what became of it.
  const late = (error: ApiError) => error.refused && onAsking(false);
  return (
    <>
      <Button onClick={() => onAsking(true)}>{t('approvals.withdraw')}</Button>
      <ConfirmDialog
        open={asking}
        onOpenChange={onAsking}
        title={title}
        description={text}
        confirmText={t('approvals.withdraw')}
        cancelText={t('approvals.withdraw.keep')}
        negative
        busy={busy}
        onConfirm={() => onConfirm(late)}
      >
        {children}
      </ConfirmDialog>
    </>
  );
}
