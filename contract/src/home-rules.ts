/** What a new company and each of its members do first, in this order; without a schema library. */
export const firstSteps = ['name', 'secondFactor', 'administrator', 'rule', 'review', 'payee', 'recharge'] as const;
export type FirstStep = (typeof firstSteps)[number];

/** `waiting`: the person has done their part, and another person or a chain has not yet. */
export const firstStepStates = ['open', 'waiting', 'done'] as const;
export type FirstStepState = (typeof firstStepStates)[number];
