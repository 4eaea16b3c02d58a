import type { TransactionDetail, TransactionType } from '@causeway/contract/transactions.ts';
import type { ComponentType } from 'react';

/** What features to the right add to the panel of a transaction of one type; bound in `app/transaction-additions.ts`. */
export interface Additions {
  /** Takes it back, as long as the reader may cancel it. */
  Cancel?: ComponentType<{ detail: TransactionDetail }>;
  /** Pays more for a block sooner, as long as it waits for one. */
  SpeedUp?: ComponentType<{ detail: TransactionDetail }>;
  /** Sends the same again. */
  Repeat?: ComponentType<{ detail: TransactionDetail }>;
  /** Another transaction that it belongs to, and what can be done about it. */
  Tie?: ComponentType<{ detail: TransactionDetail }>;
  /** Why it was let pass or stopped; shown to who may see policies. */
  Judgement?: ComponentType<{ transactionId: string }>;
}

export type TransactionAdditions = Partial<Record<TransactionType, Additions>>;
