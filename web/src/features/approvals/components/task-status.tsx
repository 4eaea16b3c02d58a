import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { useText } from '../../../lib/locale.tsx';
import { StatusDot } from '../../../ui/status-dot.tsx';
import { endTexts, statusTexts } from '../words.ts';

type Row = Pick<ApprovalTask, 'status' | 'end' | 'step' | 'steps' | 'waitingFor'>;

/** The status' word; a pending task says for whom it waits, an ended one how it ended unless it was rejected. */
export function TaskStatus({ task }: { task: Row }) {
  const t = useText();
  const { text, tone } = statusTexts[task.status];
  const otherEnd = task.end !== null && task.end !== 'approved' && task.end !== 'rejected';
  const detail =
    task.status === 'pending'
      ? `${task.waitingFor ?? ''}${task.steps > 1 ? ` · ${t('approvals.step', { step: task.step, steps: task.steps })}` : ''}`
      : otherEnd && task.end !== null
        ? t(endTexts[task.end])
        : '';
  // A sentence begins with a capital; an address in it keeps its letters.
  const isSentence = !/^\S+@/.test(detail);
  return (
    <StatusDot
      tone={tone}
      {...(detail !== '' && {
        detail: <span className={`block ${isSentence ? 'first-letter:uppercase' : ''}`}>{detail}</span>,
      })}
    >
      {t(text)}
    </StatusDot>
  );
}
