/** The plain rules of the operator's pages about exchanges, without a schema library. Part of the feature operator. */

/**
 * An order at a venue. stored: not sent yet. sending, unknown: it may be at the venue, which is asked. open: at the venue. done: it ended there. refused: the venue did not
 * take it. notPlaced: it never arrived.
 */
export const hedgeStates = ['stored', 'sending', 'unknown', 'open', 'done', 'refused', 'notPlaced'] as const;
export type HedgeState = (typeof hedgeStates)[number];

export const hedgeSides = ['buy', 'sell'] as const;

/** Terms are planned, in force, ended, or were taken back before they held. */
export const termsStates = ['planned', 'inForce', 'ended', 'withdrawn'] as const;
export type TermsState = (typeof termsStates)[number];

/** The most that terms can add to a spread. */
export const termsMostBasisPoints = 10_000;

/** Of which profit and loss are shown by day. */
export const profitDays = 30;

/** A position that has used this much of its limit, per cent, is near it. */
export const nearLimitPercent = 80;
