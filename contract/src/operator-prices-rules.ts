/** The plain rules of the operator's prices, switches and announcements, without a schema library. Part of the feature operator. */

/**
 * What the operator sets, for every company or for one. `withdrawal_fee` is of a coin on a chain, a `payout_fee_…` of a currency at a bank by the country's
 * own clearing or by SWIFT, everything else of an asset: of a currency at every bank that has it. Transfers and payments must be greater than the
 * `withdrawal_minimum`, recharges at least the `recharge_minimum`; a limit may be reached. A `spread`, and an `fx_fee` of what is exchanged of the
 * asset, are in basis points.
 */
export const priceKinds = [
  'withdrawal_fee',
  'withdrawal_minimum',
  'recharge_minimum',
  'transfer_limit',
  'daily_limit',
  'spread',
  'fx_fee',
  'payout_fee_local',
  'payout_fee_swift',
] as const;
export type PriceKind = (typeof priceKinds)[number];

/** What a price is called: minimum and limits of a currency are about payments, those of a coin about transfers. */
export function priceName(kind: PriceKind, { isCoin }: { isCoin: boolean }): PriceKind | PaymentPriceName {
  return (!isCoin && paymentNames[kind]) || kind;
}

const paymentNames: Partial<Record<PriceKind, PaymentPriceName>> = {
  withdrawal_minimum: 'payout_minimum',
  transfer_limit: 'payout_limit',
  daily_limit: 'payout_daily_limit',
};
type PaymentPriceName = 'payout_minimum' | 'payout_limit' | 'payout_daily_limit';

/** Whether it is of a currency at a bank. */
export function isBankFee(kind: PriceKind): boolean {
  return kind === 'payout_fee_local' || kind === 'payout_fee_swift';
}

/** Whether it is flat, of each payment. */
export function isFee(kind: PriceKind): boolean {
  return kind === 'withdrawal_fee' || isBankFee(kind);
}

/** Whether it is a share, in basis points. */
export function isShare(kind: PriceKind): boolean {
  return kind === 'spread' || kind === 'fx_fee';
}

export const spreadMaxBasisPoints = 10_000;

/** Over which past withdrawals a new price is tried. */
export const priceTrialDays = 90;

/** `withdrawn`: taken back before it held. `ended`: another one followed. */
export const priceStates = ['planned', 'inForce', 'ended', 'withdrawn'] as const;
export type PriceState = (typeof priceStates)[number];

/** What can be switched off: a whole chain, withdrawals or deposits of a coin on it, recharges or payouts of a currency at a bank. */
export const switchKinds = ['chain', 'withdrawals', 'deposits', 'recharges', 'payouts'] as const;
export type SwitchKind = (typeof switchKinds)[number];

export function isBankSwitch(what: SwitchKind): boolean {
  return what === 'recharges' || what === 'payouts';
}

export const announcementAudiences = ['all', 'company', 'asset'] as const;
export type AnnouncementAudience = (typeof announcementAudiences)[number];

export const announcementStates = ['planned', 'sent', 'cancelled'] as const;
export type AnnouncementState = (typeof announcementStates)[number];

export const announcementTitleMaxLength = 120;
export const announcementBodyMaxLength = 5000;
