/** The words and limits of transfers, without a schema library. */

/** What becomes of an amount in review, as far as it can be foreseen. */
export const foreseenOutcomes = ['off', 'required', 'noRule', 'nobodyCan', 'rateStale'] as const;
export type ForeseenOutcome = (typeof foreseenOutcomes)[number];

export const notesMaxLength = 500;
