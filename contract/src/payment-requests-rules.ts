/** Payment requests (docs/adr/0100-…): words and figures that need no schema library. */

/** `single`: paid once, in parts if need be; `reusable`: each payment of it is a matter of its own. */
export const paymentRequestKinds = ['single', 'reusable'] as const;
export type PaymentRequestKind = (typeof paymentRequestKinds)[number];

/** In what its amount is: a coin; a currency, at rates that are frozen until it expires; `open`: the payer decides. */
export const paymentRequestPricings = ['coin', 'currency', 'open'] as const;
export type PaymentRequestPricing = (typeof paymentRequestPricings)[number];

/** Where a request is; who must act in each is in docs/adr/0100-…. A reusable one is never processing or settled. */
export const paymentRequestStates = [
  'preparing',
  'open',
  'processing',
  'settled',
  'expired',
  'cancelled',
  'unresolved',
] as const;
export type PaymentRequestState = (typeof paymentRequestStates)[number];

/** Why a member must decide; several at once. `after_cancel`: it arrived after the request was cancelled. */
export const paymentRequestCauses = ['underpaid', 'overpaid', 'late', 'wrong_coin', 'after_cancel'] as const;
export type PaymentRequestCause = (typeof paymentRequestCauses)[number];

/** Who must act next: the payer, the worker that opens addresses, the chain, members who may decide. */
export const paymentRequestActors = ['payer', 'worker', 'chain', 'company'] as const;
export type PaymentRequestActor = (typeof paymentRequestActors)[number];

/** A deposit that reached a request's address; `taken_back`: by its payer or by a reorganisation of its chain. */
export const requestPaymentStates = ['seen', 'credited', 'taken_back'] as const;
export type RequestPaymentState = (typeof requestPaymentStates)[number];

/** What happened to a request, in its timeline. */
export const paymentRequestSteps = [
  'created',
  'opened',
  'edited',
  'seen',
  'credited',
  'taken_back',
  'settled',
  'unresolved',
  'expired',
  'cancelled',
  'reopened',
  'accepted',
  'rest_asked',
  'settled_by_hand',
  'refund_submitted',
  'refunded',
  'refund_failed',
  'reminded',
  'reminders_stopped',
] as const;
export type PaymentRequestStep = (typeof paymentRequestSteps)[number];

/** Steps that a webhook carries to the company's own systems, by their type of event. */
export const paymentRequestEventOf = {
  seen: 'payment_request.payment_seen',
  settled: 'payment_request.settled',
  unresolved: 'payment_request.unresolved',
  expired: 'payment_request.expired',
  cancelled: 'payment_request.cancelled',
} as const satisfies Partial<Record<PaymentRequestStep, string>>;

export const paymentRequestTitleMaxLength = 100;
export const paymentRequestReferenceMaxLength = 64;
export const paymentRequestNoteMaxLength = 500;
export const paymentRequestReasonMaxLength = 500;
export const payerNameMaxLength = 100;

/** Coins on chains that one request accepts. */
export const mostAcceptedCoins = 20;
/** Requests of a company that are not ended. */
export const mostOpenPaymentRequests = 2000;

/** A period in which it can be paid, in minutes; the longest of a frozen rate is shorter. */
export const shortestRequestMinutes = 15;
export const longestRequestMinutes = 366 * 1440;
export const longestFrozenRateMinutes = 30 * 1440;

/** Of its amount, in hundredths of a per cent. */
export const mostTolerancePercent = 10;

/** Decimals that every wallet and exchange can send. */
const mostAskedDecimals = 8;

/**
 * Decimals of what is asked for in a coin for an amount in a currency: as few as leave the last of them worth less than the currency's minor unit, and at
 * most `mostAskedDecimals`. Below zero: whole tens of the coin, hundreds, and so on.
 * @param rate units of the currency for one whole coin, a plain decimal above zero
 */
export function askedDecimals(rate: string, coinDecimals: number, currencyDecimals: number): number {
  const [whole = '', fraction = ''] = rate.split('.');
  const digits = (whole + fraction).replace(/^0+/, '').length;
  return Math.min(digits - fraction.length + currencyDecimals, coinDecimals, mostAskedDecimals);
}

/** Days before (negative) and after the due date on which the payer may be reminded. */
export const reminderDayRange = [-30, 30] as const;
export const mostReminderDays = 8;

/** Bits of the token in a request's link: 192, base64url. */
export const paymentTokenBytes = 24;
export const paymentTokenPattern = /^[\w-]{32}$/;

/** The payer's page, rendered on the server so that it works without a script: proxies leave it out of their logs (docs/adr/0104-…). */
export function paymentPagePath(token: string): string {
  return `/pay/${token}`;
}

/** Members of a company decide with this permission; those who may not see the requests all the same. */
export const paymentRequestPermission = 'transfer.create';
