import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { opinionMaxLength } from '@causeway/contract/approvals-rules.ts';
import { useState } from 'react';
import { useText } from '../../../lib/locale.tsx';
import { toast } from '../../../lib/toasts.ts';
import { Button } from '../../../ui/button.tsx';
import { ConfirmDialog } from '../../../ui/dialog.tsx';
import { TextArea } from '../../../ui/text-field.tsx';
import { useAdopt, useEndApproval } from '../api.ts';
import { DecisionSummary } from './decision-summary.tsx';

/** What an administrator does with a transfer whose initiator is no longer active: adopts it, or ends it. */
export function AbandonedActions({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [asking, setAsking] = useState<'adopt' | 'end' | null>(null);
  const [reason, setReason] = useState('');
  const [missing, setMissing] = useState(false);
  const done = (text: string) => () => {
    setAsking(null);
    toast('success', text);
  };
  const adopt = useAdopt(done(t('approvals.adopt.done')));
  const end = useEndApproval(done(t('approvals.endTransfer.done')));
  const confirm = () => {
    if (asking === 'adopt') return adopt.mutate({ body: { id: task.id } });
    setMissing(reason.trim() === '');
    if (reason.trim() !== '') end.mutate({ body: { id: task.id, reason: reason.trim() } });
  };
  const ending = asking === 'end';
  return (
    <>
      {task.mayAdopt && (
        <>
          <Button onClick={() => setAsking('end')}>{t('approvals.endTransfer')}</Button>
          <Button kind="primary" onClick={() => setAsking('adopt')}>
            {t('approvals.adopt')}
          </Button>
        </>
      )}
      <ConfirmDialog
        open={asking !== null}
        onOpenChange={(open) => open || setAsking(null)}
        title={t(ending ? 'approvals.endTransfer.title' : 'approvals.adopt.title')}
        description={t(ending ? 'approvals.endTransfer.text' : 'approvals.adopt.text')}
        confirmText={t(ending ? 'approvals.endTransfer' : 'approvals.adopt')}
        negative={ending}
        busy={adopt.isPending || end.isPending}
        onConfirm={confirm}
      >
        <DecisionSummary tasks={[task]} />
        {ending && (
          <TextArea
            label={t('approvals.endTransfer.reason')}
            name="reason"
            value={reason}
            maxLength={opinionMaxLength}
            required
            error={missing ? t('field.required') : undefined}
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </ConfirmDialog>
    </>
  );
}
