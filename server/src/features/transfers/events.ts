/** What transfers announces; each payload is `{ transactionId }`. */
export const transferEvents = {
  /** Nothing stands between the transfer and the signer any more. */
  approved: 'transfer.approved',
  /** The network fee for the transfer has reached its address. */
  gasArrived: 'transfer.gasArrived',
  completed: 'transfer.completed',
  failed: 'transfer.failed',
  cancelled: 'transfer.cancelled',
  depositSeen: 'deposit.seen',
  depositCredited: 'deposit.credited',
  depositOrphaned: 'deposit.orphaned',
  depositReversed: 'deposit.reversed',
} as const;
