import type { QueueKind } from '@causeway/contract/operator-queue-rules.ts';
import type { PlatformTx } from '../../../platform/database/database.ts';

/** One thing that needs a person, as a source finds it now. */
export interface Cause {
  /** Names it within its kind: a transfer's id, a chain and an address, a health check. */
  subject: string;
  companyId: string | null;
  /** Since when, which may be before the queue noticed. */
  since: Date;
  /** Minor units; null where no money is concerned. */
  money: { asset: string; decimals: number; minor: bigint } | null;
  /** The blanks of the kind's texts, and what the detail lists (`queue.fact.<name>`). */
  facts: Facts;
}

export type Facts = Record<string, string>;

/** A kind of item is data: how its causes are found, across companies. The sweep opens and ends items after it. */
export interface Source {
  kind: QueueKind;
  /** Every current cause, no more than `mostCauses`. */
  find(tx: PlatformTx): Promise<Cause[]>;
}

/** A source that finds so many may have left some out: then none of its items is ended. */
export const mostCauses = 20_000;
