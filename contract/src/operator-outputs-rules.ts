/** The plain rules of outputs, without a schema library. Part of the feature operator. */

/** `confirmed`: a block has it. `waiting`: none has. `reserved`: given to a payment that has not spent it. `leaving`: a transaction that no block has spends it. */
export const outputStates = ['confirmed', 'waiting', 'reserved', 'leaving'] as const;
export type OutputState = (typeof outputStates)[number];
