import {
  type ApprovalSubject,
  type Controls,
  controlChanges,
  newAccounts,
  newPayees,
  ruleChanges,
} from './features/approvals/index.ts';
import type { ChainFamilies } from './features/chains/index.ts';
import { createPayoutSubject } from './features/payments/index.ts';
import { createTransferSubject } from './features/transfers/index.ts';
import type { Clock } from './platform/clock.ts';

/** Everything that is approved, in the processes that show, decide or end it; the contract's `approvalKinds` names the same. */
export function approvalSubjects(
  clock: Clock,
  families: ChainFamilies,
  controls: Controls,
): readonly ApprovalSubject[] {
  return [
    createTransferSubject(families),
    createPayoutSubject(families),
    newPayees(families),
    newAccounts(families),
    ruleChanges(clock),
    controlChanges(controls, clock),
  ];
}

/** The same by kind. */
export function subjectsByKind(subjects: readonly ApprovalSubject[]): Map<string, ApprovalSubject> {
  return new Map(subjects.map((subject) => [subject.kind, subject]));
}
