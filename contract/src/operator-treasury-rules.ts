/** The plain rules of the operator's treasury, without a schema library. Part of the feature operator. */

export const treasuryLabelMaxLength = 60;

/** So many payments one collection of fees makes at most, the largest first: each pays a network fee of its own. */
export const mostFeePayments = 100;

/**
 * The gas tank is low below so many days at the present rate, or below so many payments at the present fee; below `stopPayments` it advances
 * nothing for a payment that has not begun. Operators change them chain by chain.
 */
export const gasTankDefaults = { warnDays: 7, warnPayments: 20, stopPayments: 0 } as const;
export const gasTankMostDays = 365;
export const gasTankMostPayments = 100_000;

/**
 * Where a payment of a collection is. `waiting`: the worker has not taken it up. `refused`: no transaction was made of it. The others are
 * stages of its transaction, as of a transfer.
 */
export const feePaymentStates = [
  'waiting',
  'refused',
  'approved',
  'signing',
  'broadcast',
  'confirming',
  'completed',
  'failed',
] as const;
export type FeePaymentState = (typeof feePaymentStates)[number];

/** Of coins between the treasury and a company's address. */
export const settlementDirections = ['in', 'out', 'none'] as const;
