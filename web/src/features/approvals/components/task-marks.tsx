import type { ApprovalTask } from '@causeway/contract/approvals.ts';
import { StatusDot } from '../../../ui/status-dot.tsx';

/** What asks for a look before a decision: an account that was changed lately. */
export function TaskMarks({ task }: { task: Pick<ApprovalTask, 'marks'> }) {
  return task.marks.map((mark) => (
    <span key={mark} className="block text-12 font-normal">
      <StatusDot tone="pending">{mark}</StatusDot>
    </span>
  ));
}
