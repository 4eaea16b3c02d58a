/** Guaranteed trades (docs/adr/0101-…): words and figures that need no schema library. */

/**
 * Where a trade is with the company: `created`: its amount is to be frozen; `in_progress`: it is frozen, in whole or in part; `success`: all of it was
 * paid or returned after something was paid; `cancelled`.
 */
export const tradeStates = ['created', 'in_progress', 'success', 'cancelled'] as const;
export type TradeState = (typeof tradeStates)[number];

/** Where the goods are, as the platform says. */
export const tradePhases = ['agreed', 'shipped', 'inspected', 'disputed', 'closed'] as const;
export type TradePhase = (typeof tradePhases)[number];

/** Which side of a trade the company is. */
export const tradeSides = ['buyer', 'seller'] as const;
export type TradeSide = (typeof tradeSides)[number];

/** Who must act next; null where the trade is over. */
export const tradeActors = ['buyer', 'approvers', 'seller', 'platform'] as const;
export type TradeActor = (typeof tradeActors)[number];

/** What happened to a trade, in its timeline. */
export const tradeSteps = [
  'announced',
  'updated',
  'contradicted',
  'submitted',
  'frozen',
  'refused',
  'withdrawn',
  'declined',
  'released',
  'returned',
  'disputed',
  'cancelled',
  /** A payment to the seller came to nothing; one that had was made after all. */
  'release_failed',
  'release_paid',
  /** What came back from a payment that failed is frozen again. */
  'refrozen',
] as const;
export type TradeStep = (typeof tradeSteps)[number];

/** What confirmations to the platform are of. */
export const tradeMessages = [
  'trade.confirmed',
  'trade.declined',
  'trade.released',
  'trade.disputed',
  'trade.release_failed',
  'trade.release_paid',
] as const;
export type TradeMessage = (typeof tradeMessages)[number];

export const tradeReasonMaxLength = 500;

/** What the list can be ordered by; `time`: the latest change. */
export const tradeSorts = ['time', 'deadline'] as const;
