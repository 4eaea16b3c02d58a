/** The words of transactions, without a schema library, so that a list can be filtered before the schemas are there. */

/** (decisions, "Transactions") */
export const transactionTypes = [
  'chain_deposit',
  'chain_withdraw',
  'chain_accelerate',
  'crypto_payout',
  'failed_refund',
  'crypto_exchange_out',
  'crypto_exchange_in',
  'fiat_exchange_out',
  'fiat_exchange_in',
  'fiat_deposit',
  'fiat_payout',
  'card_payment',
  'card_refund',
] as const;
export type TransactionType = (typeof transactionTypes)[number];

/** Types that no company sees among its transactions: its coins move between its own addresses, the operator collects its fees, and exchanged coins are settled with the treasury. */
export const platformTypes = ['chain_sweep', 'fee_withdraw', 'fx_settlement_in', 'fx_settlement_out'] as const;

/** Types with a life on the server. */
export type LifeType = TransactionType | (typeof platformTypes)[number];

export const transactionStatuses = ['completed', 'pending', 'failed'] as const;
export type TransactionStatus = (typeof transactionStatuses)[number];

export const transactionDirections = ['in', 'out'] as const;
export type TransactionDirection = (typeof transactionDirections)[number];

/**
 * Where a transaction is. `waiting_rate`: a limit order, held until the rate reaches its limit. `held`: authorised by card, and not cleared in whole. At a bank: `instructed`, our order to the bank is made out and on its way; `accepted`, the bank has said that it will
 * make the payment; `returned`, the payee's bank sent it back after it was made.
 */
export const stages = [
  'submitted',
  'waiting_approval',
  'approved',
  'waiting_rate',
  'held',
  'signing',
  'broadcast',
  'instructed',
  'accepted',
  'confirming',
  'completed',
  'failed',
  'cancelled',
  'refused',
  'returned',
  'seen',
  'received',
  'credited',
  'orphaned',
  'reversed',
  'replaced',
  'emptied',
  'refunded',
] as const;
export type Stage = (typeof stages)[number];

export const invoiceNumberMaxLength = 60;
export const categoryMaxLength = 40;
/** So many categories a company’s list holds; one more is kept on its transaction and not suggested. */
export const maxCategories = 200;

export const savedFilterMaxLength = 40;
export const maxSavedFilters = 20;
