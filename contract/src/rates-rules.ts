/** The plain rules of rates, without a schema library (decisions, "Rates"). */

/** Why a middle price may not be quoted: no usable source, all too old, they disagree, fewer than are needed. */
export const midProblems = ['none', 'stale', 'disagreeing', 'single'] as const;
export type MidProblem = (typeof midProblems)[number];

/** How far back a chart of a rate goes: a day, or thirty. */
export const rateSpans = ['day', 'month'] as const;
export type RateSpan = (typeof rateSpans)[number];

export const rateDirections = ['above', 'below'] as const;
export type RateDirection = (typeof rateDirections)[number];

/** Alerts of rates that one member may have open at a time. */
export const mostRateAlerts = 20;
