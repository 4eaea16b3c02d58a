import type { ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useLocation, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useDecisionKeys } from '../../../lib/decision-keys.ts';
import { useFormats } from '../../../lib/format.ts';
import { useText } from '../../../lib/locale.tsx';
import { Button } from '../../../ui/button.tsx';
import { PlainLink } from '../../../ui/plain-link.tsx';
import { PanelSection, SidePanel } from '../../../ui/side-panel.tsx';
import { Banner, ErrorState, Loading, Skeleton } from '../../../ui/states.tsx';
import { StopChange } from '../../control/index.ts';
import { Payout } from '../../transactions/index.ts';
import { useTask } from '../api.ts';
import { AbandonedActions } from '../components/abandoned.tsx';
import { AccountEvidence } from '../components/account-evidence.tsx';
import { DecideDialog } from '../components/decide-dialog.tsx';
import { TaskAmount } from '../components/task-amount.tsx';
import { TaskAttachments } from '../components/task-attachments.tsx';
import { TaskBatch } from '../components/task-batch.tsx';
import { TaskBought } from '../components/task-bought.tsx';
import { TaskChain } from '../components/task-chain.tsx';
import { ChangeDifference } from '../components/task-change.tsx';
import { TaskEvidence } from '../components/task-evidence.tsx';
import { TaskExchange } from '../components/task-exchange.tsx';
import { TaskFacts } from '../components/task-facts.tsx';
import { TaskStatus } from '../components/task-status.tsx';
import { TaskTie } from '../components/task-tie.tsx';
import { Withdraw } from '../components/withdraw.tsx';
import { endTexts, obstacleTexts } from '../words.ts';

/** One application beside its list: everything an approver needs, and the decision. */
export function Page() {
  const t = useText();
  const { id } = useParams({ strict: false }) as { id: string };
  const list = useLocation({ select: ({ pathname }) => pathname.slice(0, pathname.lastIndexOf('/')) });
  const task = useTask(id);
  const { data } = task;
  return (
    <SidePanel
      title={data?.name ?? t('approvals.panel.title')}
      backTo={list}
      {...(data && { actions: <PanelActions task={data} /> })}
    >
      {data === undefined && task.error !== null ? (
        <ErrorState error={task.error} onRetry={() => void task.refetch()} />
      ) : (
        <Loading loading={data === undefined} skeleton={<PanelSkeleton />}>
          {data && <Detail task={data} />}
        </Loading>
      )}
    </SidePanel>
  );
}

/** What the reader may do now. A dialog that is open stays when that changes, so that what was typed and the server's answer are not lost. */
function PanelActions({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const [outcome, setOutcome] = useState<'approved' | 'rejected' | null>(null);
  useDecisionKeys(task.mayDecide && outcome === null, setOutcome);
  return (
    <>
      <Withdraw task={task} />
      <StopChange taskId={task.id} name={task.name} offered={task.mayStop && !task.mayWithdraw} />
      <AbandonedActions task={task} />
      {task.mayDecide && (
        <>
          <Button onClick={() => setOutcome('rejected')} aria-keyshortcuts="r">
            {t('approvals.reject')}
          </Button>
          <Button kind="primary" onClick={() => setOutcome('approved')} aria-keyshortcuts="a">
            {t('approvals.approve')}
          </Button>
        </>
      )}
      {outcome !== null && (
        <DecideDialog
          tasks={[task]}
          outcome={outcome}
          onClose={() => setOutcome(null)}
          onDone={() => setOutcome(null)}
        />
      )}
    </>
  );
}

function Detail({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const { content, link } = task;
  return (
    <div className="flex flex-col gap-6">
      <div className="flex flex-wrap items-start justify-between gap-4">
        {(task.amount !== null || task.kind === 'batch') && <TaskAmount task={task} size="hero" />}
        <TaskStatus task={task} />
      </div>
      <Standing task={task} />
      {content.shape === 'payment' && <TaskTie content={content} coin={task.coin} />}
      {content.shape === 'payment' && content.bought !== null && (
        <TaskBought bought={content.bought} fee={content.fee} task={task} />
      )}
      {content.shape === 'payment' && content.payout !== null && <Payout payout={content.payout} />}
      {content.shape === 'batch' && <TaskBatch content={content} runId={task.subjectId} />}
      {content.shape === 'exchange' && <TaskExchange content={content} />}
      {content.shape === 'exchange' && (
        <TaskEvidence
          evidence={{ party: null, balance: content.balance, risk: content.risk }}
          subjectId={task.subjectId}
        />
      )}
      {content.shape === 'change' && <ChangeDifference change={content} />}
      {content.shape === 'payment' && content.evidence !== null && (
        <TaskEvidence evidence={content.evidence} subjectId={task.subjectId} />
      )}
      {content.shape === 'account' && <AccountEvidence content={content} />}
      <PanelSection title={t('approvals.panel.facts')}>
        <TaskFacts task={task} />
      </PanelSection>
      {content.shape === 'payment' && <TaskAttachments attachments={content.attachments} />}
      <PanelSection title={t('approvals.panel.chain')}>
        <TaskChain task={task} />
      </PanelSection>
      {link !== null && content.shape !== 'batch' && !(content.shape === 'account' && content.party.id === null) && (
        <PlainLink href={link.path} className="text-13 text-accent">
          {link.text}
        </PlainLink>
      )}
    </div>
  );
}

/** What it waits for and until when, why the reader cannot decide, or how it ended. */
function Standing({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const formats = useFormats();
  if (task.status !== 'pending') {
    if (task.end === null || task.end === 'approved') return null;
    return (
      <Banner kind={task.end === 'applied' ? 'positive' : 'negative'}>
        {t(endTexts[task.end])}
        {task.reason !== null && `: ${task.reason}`}
        {task.endedBy !== null && (
          <span className="block text-muted">{t('approvals.panel.endedBy', { name: task.endedBy })}</span>
        )}
      </Banner>
    );
  }
  const { obstacle } = task;
  return (
    <>
      {task.abandoned && (
        <Banner kind="negative">{t('approvals.panel.abandoned', { name: task.initiator.name })}</Banner>
      )}
      {task.adoptedBy !== null && (
        <Banner kind="notice">{t('approvals.panel.adoptedBy', { name: task.adoptedBy.name })}</Banner>
      )}
      {task.stuck && !task.abandoned && task.effectiveAt === null && (
        <Banner kind="negative">{t('approvals.panel.stuck')}</Banner>
      )}
      <Granted task={task} />
      <Banner kind="pending">
        {t('approvals.panel.waiting', { names: task.waitingFor ?? '' })}
        {task.waitingSince !== null && (
          <span className="text-muted">
            {' · '}
            {t('approvals.panel.since', { time: formats.dateTime(task.waitingSince) })}
          </span>
        )}
        <span className="block text-muted">
          {task.effectiveAt === null
            ? t('approvals.panel.expires', { time: formats.dateTime(task.expiresAt) })
            : t('approvals.panel.takesEffect', { time: formats.dateTime(task.effectiveAt) })}
        </span>
      </Banner>
      {obstacle !== null && obstacle !== 'ended' && !(obstacle === 'initiatorLeft' && task.abandoned) && (
        <p className="m-0 text-13 text-faint">
          {t(
            obstacle === 'noPermission' && task.shape === 'change'
              ? 'approvals.obstacle.noPermissionForChange'
              : obstacleTexts[obstacle],
          )}
        </p>
      )}
      {task.mayDecide && <p className="m-0 text-13 text-faint max-md:hidden">{t('approvals.panel.keys')}</p>}
    </>
  );
}

/** That the initiator gave the reader the right to decide, which a colluding initiator would have done. */
function Granted({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const formats = useFormats();
  if (task.grantedByInitiatorAt === null || !task.mayDecide) return null;
  const time = formats.dateTime(task.grantedByInitiatorAt);
  return <Banner kind="notice">{t('approvals.panel.granted', { name: task.initiator.name, time })}</Banner>;
}

function PanelSkeleton() {
  return (
    <div className="flex flex-col gap-6">
      <Skeleton width="w-48" height="h-9" />
      <Skeleton height="h-24" />
      <Skeleton height="h-64" />
    </div>
  );
}
