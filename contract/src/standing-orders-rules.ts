/** The plain rules of standing orders of exchanges, without a schema library (docs/adr/0085-…). */

/** `amount`: so much each time; `above`: all that is available beyond so much. */
export const standingRules = ['amount', 'above'] as const;
export type StandingRule = (typeof standingRules)[number];

export const standingPeriods = ['day', 'week', 'month'] as const;
export type StandingPeriod = (typeof standingPeriods)[number];

/** The most that a company has running at a time. */
export const mostStandingOrders = 20;

/**
 * `stopped`: by a member. `ended`: its last day is over. `memberLeft`: the member who made it may no longer exchange, or is no longer active.
 */
export const standingStops = ['stopped', 'ended', 'memberLeft'] as const;
export type StandingStop = (typeof standingStops)[number];

/** What became of a turn: an exchange was submitted, there was nothing to exchange, or it was refused. */
export const standingOutcomes = ['submitted', 'nothing', 'refused'] as const;
export type StandingOutcome = (typeof standingOutcomes)[number];
