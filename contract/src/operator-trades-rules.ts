/** What the operator narrows the list of trades to: a deadline that passed while money is frozen, a contradiction, a message that was not accepted. */
export const tradeTroubles = ['overdue', 'contradicted', 'undelivered'] as const;
export type TradeTrouble = (typeof tradeTroubles)[number];

/** What became of an event of the platform: `waiting` for one before it. */
export const tradeEventOutcomes = ['waiting', 'applied', 'contradicted'] as const;
