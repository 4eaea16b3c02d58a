import type { ApprovalNode, ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { type Translate, useText } from '../../../lib/locale.tsx';
import type { Tone } from '../../../ui/status-dot.tsx';
import { type Stage, Timeline } from '../../../ui/timeline.tsx';

const tones: Record<ApprovalNode['state'], Tone> = {
  passed: 'positive',
  current: 'pending',
  waiting: 'neutral',
  ended: 'negative',
  skipped: 'neutral',
};

/** The chain from submission to payment: who has decided what and when, who can decide now, what is still to come. */
export function TaskChain({ task }: { task: ApprovalTaskDetail }) {
  const t = useText();
  const submitted: Stage = {
    key: 'submitted',
    title: t('approvals.chain.submitted', { name: task.initiator.name }),
    at: task.startedAt,
    tone: 'positive',
  };
  const stages = [submitted, ...task.nodes.flatMap((node, index) => stagesOf(node, index, t))];
  return <Timeline label={t('approvals.panel.chain')} stages={stages} />;
}

function stagesOf(node: ApprovalNode, index: number, t: Translate): Stage[] {
  const decided: Stage[] = node.decisions.map((decision, place) => ({
    key: `${index}-${place}`,
    title: t(decision.outcome === 'approved' ? 'approvals.chain.approved' : 'approvals.chain.rejected', {
      name: decision.by.name,
    }),
    detail: (
      <>
        {decision.deputyFor !== null && (
          <span className="block">{t('approvals.chain.deputy', { name: decision.deputyFor })}</span>
        )}
        {decision.opinion !== '' && <span className="block whitespace-pre-wrap">“{decision.opinion}”</span>}
        <span className="block text-12 text-faint">{t(`approvals.code.${decision.method}`)}</span>
      </>
    ),
    at: decision.at,
    tone: decision.outcome === 'approved' ? 'positive' : 'negative',
  }));
  if (node.state === 'passed' || node.state === 'ended') return decided;
  const names = node.approvers.map(({ name }) => name).join(t('approvals.chain.comma'));
  const open: Stage = {
    key: `${index}-open`,
    title: t('approvals.chain.needs', { needed: node.needed, approved: node.approved, names }),
    detail:
      node.able.length > 0
        ? t('approvals.chain.able', { names: node.able.map(({ name }) => name).join(t('approvals.chain.comma')) })
        : undefined,
    tone: tones[node.state],
    active: node.state === 'current',
  };
  return [...decided, open];
}
