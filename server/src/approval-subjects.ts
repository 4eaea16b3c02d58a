import {
  type ApprovalSubject,
  type Controls,
  controlChanges,
  newAccounts,
  newPayees,
  ruleChanges,
} from './features/approvals/index.ts';
import { createRunSubject } from './features/batches/index.ts';
import type { ChainFamilies } from './features/chains/index.ts';
import { createExchangeSubject } from './features/exchange/index.ts';
import { createPayoutSubject } from './features/payments/index.ts';
import { tradeSubject } from './features/trades/index.ts';
import { createTransferSubject } from './features/transfers/index.ts';
import type { Clock } from './platform/clock.ts';
import type { Seal } from './platform/crypto/seal.ts';

/**
 * Everything that is approved, in the processes that show, decide or end it; the contract's `approvalKinds` names the same. `seal`: where it is
 * decided, since the last approval of an exchange or of a payment out of coins executes it.
 */
export function approvalSubjects(
  clock: Clock,
  families: ChainFamilies,
  controls: Controls,
  seal: Seal | null = null,
): readonly ApprovalSubject[] {
  return [
    createTransferSubject(families),
    createPayoutSubject(families, seal),
    createExchangeSubject(seal),
    createRunSubject(families),
    tradeSubject,
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
