import type { Tx } from '../../platform/database/database.ts';
import type { LifecycleRow } from '../transactions/index.ts';

/**
 * The port through which money leaves (docs/adr/0053). `compose.ts` and `worker.ts` bind the adapters. A rail moves a payment
 * from stage to stage and ends it with `settle`, `fail` or `reopen` of this feature, in the transaction of its own records.
 */
export interface Rail {
  /** Whether this rail carries payments from the transaction's place. */
  carries(transaction: LifecycleRow): boolean;
  /**
   * Reads what sending the payment needs, in the transaction in which its row is locked.
   * @returns null when the rail has ended the payment: its id was used before for something else
   */
  prepare(tx: Tx, transaction: LifecycleRow): Promise<PreparedPayment | null>;
}

export interface PreparedPayment {
  /** Something of it was signed or sent before, so no control stops it any more. */
  isBegun: boolean;
  /** Does what sending still lacks, as far as it can be done now. No transaction is open; a repetition is harmless. */
  submit(): Promise<void>;
}
