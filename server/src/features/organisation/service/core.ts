import type { Tx } from '../../../platform/database.ts';

/** Work that somebody may leave behind: approvals knows it, to the right of organisation. */
export interface OpenWorkPort {
  /** How many decisions wait for this member, and how many of the member's own requests wait for others. */
  describe(tx: Tx, userId: string): Promise<{ pendingDecisions: number; pendingOwn: number }>;
  /** The member is about to be disabled, deleted or to lose a role: does what follows from it, in that transaction. */
  leaves(tx: Tx, userId: string): Promise<void>;
}
