/** What the database announces of balances (migrations 0120, 0140). */
export const ledgerEvents = {
  /** `Crossing`: a watched balance has fallen below its threshold, or is back. */
  crossed: 'ledger.crossed',
} as const;

/** Amounts in minor units, as decimal texts. */
export interface Crossing {
  /** Names this crossing: the same when its event comes again. */
  crossingId: string;
  accountId: string;
  ownerId: string;
  isBelow: boolean;
  balanceMinor: string;
  /** Null: it is no longer watched. */
  watchBelowMinor: string | null;
}
