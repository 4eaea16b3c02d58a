/** The plain rules of exchanges between own wallets, without a schema library (decisions, "Exchange"). */

/** The side whose amount the person names; the other one follows from the rate. */
export const exchangeSides = ['sell', 'buy'] as const;
export type ExchangeSide = (typeof exchangeSides)[number];

/** How long a quote holds, by the database's clock. */
export const quoteValidMs = 30_000;

/**
 * How far the rate may move against the person between the first quote and the execution, in basis points of the amount that follows from the
 * rate. Code and approvals are bound to the amount that it gives.
 */
export const exchangeTolerances = [10, 50, 100, 200] as const;
export const defaultTolerance = 50;

/** The longest that a limit order waits for its rate, in days. */
export const limitOrderMaxDays = 90;

/** Why a wallet cannot be sold or bought now. `limit`: the platform takes or gives no more of the asset. */
export const exchangeStops = ['frozen', 'off', 'noPrice', 'limit'] as const;
export type ExchangeStop = (typeof exchangeStops)[number];
