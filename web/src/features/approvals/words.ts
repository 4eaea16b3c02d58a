import type { ApprovalEnd, ApprovalObstacle, ApprovalStatus } from '@causeway/contract/approvals-rules.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** The word of each status: the same on every screen. */
export const statusTexts: Record<ApprovalStatus, { text: string; tone: Tone }> = {
  pending: { text: 'approvals.status.pending', tone: 'pending' },
  approved: { text: 'approvals.status.approved', tone: 'positive' },
  rejected: { text: 'approvals.status.rejected', tone: 'negative' },
};

/** How a task ended otherwise than by a rejection. */
export const endTexts: Record<ApprovalEnd, string> = {
  approved: 'approvals.end.approved',
  rejected: 'approvals.end.rejected',
  withdrawn: 'approvals.end.withdrawn',
  expired: 'approvals.end.expired',
  voided: 'approvals.end.voided',
  stopped: 'approvals.end.stopped',
  applied: 'approvals.end.applied',
};

/** Why the reader cannot decide now; nothing is said of what has ended, which the status says. */
export const obstacleTexts: Record<Exclude<ApprovalObstacle, 'ended'>, string> = {
  own: 'approvals.obstacle.own',
  noPermission: 'approvals.obstacle.noPermission',
  notApprover: 'approvals.obstacle.notApprover',
  notYet: 'approvals.obstacle.notYet',
  alreadyDecided: 'approvals.obstacle.alreadyDecided',
  overLimit: 'approvals.obstacle.overLimit',
  deputyDecides: 'approvals.obstacle.deputyDecides',
  tooNew: 'approvals.obstacle.tooNew',
  grantedByInitiator: 'approvals.obstacle.grantedByInitiator',
  initiatorLeft: 'approvals.obstacle.initiatorLeft',
  adopted: 'approvals.obstacle.adopted',
  concerned: 'approvals.obstacle.concerned',
};

/** Whether a task of this kind names a bank account as the party that is paid. */
export function isAtBank(kind: string): boolean {
  return kind === 'payment' || kind === 'bank_payee';
}
