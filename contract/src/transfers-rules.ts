/** The words and limits of transactions, without a schema library, so that a list can be filtered before the schemas are there. */

/** Specification, section 3, and the two fiat types of the decisions page. */
export const transactionTypes = [
  'chain_deposit',
  'chain_withdraw',
  'crypto_payout',
  'failed_refund',
  'crypto_exchange_out',
  'crypto_exchange_in',
  'fiat_deposit',
  'fiat_payout',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

export const transactionStatuses = ['completed', 'pending', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

/** What becomes of an amount in review, as far as it can be foreseen. */
export const foreseenOutcomes = ['off', 'required', 'noRule', 'nobodyCan', 'rateStale'] as const;
export type ForeseenOutcome = (typeof foreseenOutcomes)[number];

/**
 * Where a transaction stands (decisions, "Transactions"). A deposit: seen, confirming, credited, and on a
 * reorganisation orphaned or reversed. A withdrawal: submitted, approved, signing, broadcast, confirming, completed,
 * or failed, cancelled, refused.
 */
export const stages = [
  'submitted',
  'waiting_approval',
  'approved',
  'signing',
  'broadcast',
  'confirming',
  'completed',
  'failed',
  'cancelled',
  'refused',
  'seen',
  'credited',
  'orphaned',
  'reversed',
  'replaced',
  'refunded',
] as const;
export type Stage = (typeof stages)[number];

export const notesMaxLength = 500;
