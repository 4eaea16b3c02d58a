import { riskReasons } from './risk-rules.ts';

/** The words and limits of transfers, without a schema library. */

/** What becomes of an amount in review, as far as it can be foreseen. */
export const foreseenOutcomes = ['off', 'required', 'noRule', 'nobodyCan', 'rateStale'] as const;
export type ForeseenOutcome = (typeof foreseenOutcomes)[number];

/** What would stop a transfer before anyone is asked to approve it: `rule`, a rule of every transfer; the others are risk's. */
export const foreseenStops = ['rule', ...riskReasons] as const;
export type ForeseenStop = (typeof foreseenStops)[number];

/** How soon a block is to take a transfer, where its network fee is a choice; the cheapest first. */
export const feeLevels = ['economy', 'normal', 'urgent'] as const;
export type FeeLevel = (typeof feeLevels)[number];

export const notesMaxLength = 500;
