import type { ApprovalNode, ApprovalTaskDetail } from '@causeway/contract/approvals.ts';
import { useFormats } from '../../../lib/format.ts';
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
  const formats = useFormats();
  const submitted: Stage = {
    key: 'submitted',
    title: t('approvals.chain.submitted', { name: task.initiator.name }),
    at: task.startedAt,
    tone: 'positive',
  };
  const stages = [submitted, ...task.nodes.flatMap((node, index) => stagesOf(node, index, { t, formats, task }))];
  return <Timeline label={t('approvals.panel.chain')} stages={stages} />;
}

interface Words {
  t: Translate;
  formats: ReturnType<typeof useFormats>;
  task: ApprovalTaskDetail;
}

function stagesOf(node: ApprovalNode, index: number, words: Words): Stage[] {
  const { t } = words;
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
        <Granted name={decision.by.name} at={decision.grantedByInitiatorAt} words={words} />
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
    detail: <Able node={node} words={words} />,
    tone: tones[node.state],
    active: node.state === 'current',
  };
  return [...decided, open];
}

/** Who can decide now, and who only seems to. */
function Able({ node, words }: { node: ApprovalNode; words: Words }) {
  const { t } = words;
  const names = node.able.map(({ name }) => name).join(t('approvals.chain.comma'));
  return (
    <>
      {names !== '' && <span className="block">{t('approvals.chain.able', { names })}</span>}
      {node.able.map(({ id, name, grantedByInitiatorAt }) => (
        <Granted key={id} name={name} at={grantedByInitiatorAt} words={words} />
      ))}
      {node.barred.map(({ id, name, reason }) => (
        <span key={id} className="block text-faint">
          {t(`approvals.barred.${reason}`, { name })}
        </span>
      ))}
    </>
  );
}

/** That the initiator had given an approver the right shortly before. */
function Granted({ name, at, words: { t, formats, task } }: { name: string; at: string | null; words: Words }) {
  if (at === null) return null;
  const initiator = task.initiator.name;
  return (
    <span className="block text-pending">
      {t('approvals.panel.grantedTo', { initiator, name, time: formats.dateTime(at) })}
    </span>
  );
}
