/** The plain rules of the operator's pages about transactions, without a schema library. Part of the feature operator. */

/** What nodes said of bytes that were offered to them; `refused`: the node's own words say why. `silent`: no answer in time. */
export const nodeAnswers = ['accepted', 'known', 'spent', 'refused', 'silent'] as const;
export type NodeAnswerKind = (typeof nodeAnswers)[number];

/** Where a payment's attempt is: it is finished once the chain has this attempt, or another, for good. */
export const attemptStates = ['unsigned', 'signed', 'broadcast', 'mined', 'final', 'replaced', 'superseded'] as const;
export type AttemptState = (typeof attemptStates)[number];

/** Days for which requests that wrote something are kept, and answers that are kept of each attempt. */
export const requestLogDays = 90;
export const answersPerAttempt = 20;

/** An export holds no more rows than this. */
export const operatorExportMost = 50_000;
