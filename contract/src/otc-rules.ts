/** The plain rules of requests for quote to the operator's desk, without a schema library (docs/adr/0084-…). */

/** `asked`: the desk's turn. `quoted`: the company's. `lapsed`: the deadline passed without an answer that still holds. */
export const otcStates = ['asked', 'quoted', 'accepted', 'declined', 'withdrawn', 'lapsed'] as const;
export type OtcState = (typeof otcStates)[number];

export function isOtcOpen(state: OtcState): boolean {
  return state === 'asked' || state === 'quoted';
}

/** The steps of a request, each of which is a message of its conversation. */
export const otcKinds = [
  'asked',
  'note',
  'quoted',
  'countered',
  'accepted',
  'declined',
  'withdrawn',
  'lapsed',
] as const;
export type OtcKind = (typeof otcKinds)[number];

export const otcSides = ['company', 'desk', 'system'] as const;
export type OtcSide = (typeof otcSides)[number];

export const otcTextMaxLength = 1000;

/** An answer is useful for at least so long from now on, and at most so long. */
export const otcDeadlineMinMinutes = 5;
export const otcDeadlineMaxDays = 7;

/** How long the desk's quote holds. */
export const otcValidMinMinutes = 1;
export const otcValidMaxMinutes = 1440;

/** How many requests of a company are open at most. */
export const otcMostOpen = 20;

/** US cents: what a request is worth at least, where the operator has set nothing else. */
export const otcDefaultMinimumCents = 5_000_000n;

/** A rate as a person types it: whole units bought for one sold. */
export const otcRatePattern = /^\d{1,10}(\.\d{1,18})?$/;
