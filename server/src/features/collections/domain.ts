import type {
  PaymentRequestActor,
  PaymentRequestCause,
  PaymentRequestKind,
  PaymentRequestPricing,
  PaymentRequestState,
  RequestPaymentState,
} from '@causeway/contract/payment-requests-rules.ts';
import { paymentRequestCauses } from '@causeway/contract/payment-requests-rules.ts';
import { invariant } from '../../platform/domain-error.ts';
import { coinFor, exactly, stepOf, type Value, valueIn, wholeAtLeast, wholeOf } from './values.ts';

/** Where a payment request is, from its terms, what reached it and what was decided (docs/adr/0100-…): pure. Amounts in minor units. */

export interface Period {
  startsAt: Date;
  /** Null: it does not end. */
  expiresAt: Date | null;
}

/** A coin on a chain in which it can be paid. */
export interface Method {
  /** Of the coin. */
  decimals: number;
  /** Of deposits, in the coin's minor units: less is not worth its network fees. */
  minimumMinor: bigint;
  /** Of the latest period: units of the currency for one whole coin; null: the amount is in the coin. */
  rate: string | null;
}

export interface Standing {
  kind: PaymentRequestKind;
  pricing: PaymentRequestPricing;
  /** Null where the payer decides. */
  amountMinor: bigint | null;
  toleranceMinor: bigint;
  /** Of the asset of its amount; null where the payer decides. */
  decimals: number | null;
  /** Each accepted chain has its address. */
  isOpened: boolean;
  /** In order; at least one. */
  periods: readonly Period[];
  methods: readonly Method[];
  closed: { as: 'accepted' | 'by_hand'; valueMinor: bigint } | null;
  cancelledAt: Date | null;
}

/** A deposit that reached one of its addresses. */
export interface Payment {
  id: string;
  isAccepted: boolean;
  arrivedAt: Date;
  state: RequestPaymentState;
  quantityMinor: bigint;
  /** Of the coin. */
  decimals: number;
  /** Units of the currency for one whole coin; null: the amount is in the coin, is open, or no rate was known. */
  rate: string | null;
  /** Given back by refunds that have not failed. */
  refundedMinor: bigint;
  /** A member has decided on it. */
  isDecided: boolean;
}

export interface Judgement {
  state: PaymentRequestState;
  causes: PaymentRequestCause[];
  /** By payment, what must be decided of it by itself. */
  ofPayments: ReadonlyMap<string, PaymentRequestCause[]>;
  /** Of a single one, by its rates: credited, and seen but not credited, without what was refunded; in minor units of its asset. */
  paid: Value;
  pending: Value;
}

/** Whether a payment arrived while the request could be paid. */
export function isLate(periods: readonly Period[], { arrivedAt }: Pick<Payment, 'arrivedAt'>): boolean {
  return !periods.some(
    ({ startsAt, expiresAt }) => startsAt <= arrivedAt && (expiresAt === null || arrivedAt < expiresAt),
  );
}

/** What a payment is worth in the asset of the request, without what was refunded of it; null: it is not accepted, or has no rate yet. */
export function worthOf(standing: Standing, payment: Payment, quantityMinor = netOf(payment)): Value | null {
  if (!payment.isAccepted) return null;
  if (standing.pricing !== 'currency') return exactly(quantityMinor);
  invariant(standing.decimals !== null, 'an amount in a currency has its decimals');
  return payment.rate === null
    ? null
    : valueIn({ minor: quantityMinor, decimals: payment.decimals }, payment.rate, standing.decimals);
}

export const netOf = ({ quantityMinor, refundedMinor }: Pick<Payment, 'quantityMinor' | 'refundedMinor'>): bigint =>
  quantityMinor - refundedMinor;

export function judge(standing: Standing, payments: readonly Payment[], now: Date): Judgement {
  // What was given back in full is as if it had not come.
  const present = payments.filter((payment) => payment.state !== 'taken_back' && netOf(payment) > 0n);
  const ofPayments = new Map(
    present
      .map((payment) => [payment.id, causesOf(standing, payment)] as const)
      .filter(([, causes]) => causes.length > 0),
  );
  const sum = (some: readonly Payment[]) => some.reduce((total, each) => total + (worthOf(standing, each) ?? 0n), 0n);
  const paid = sum(present.filter(({ state }) => state === 'credited'));
  const pending = sum(present.filter(({ state }) => state === 'seen'));
  const all = new Set([...ofPayments.values()].flat());
  if (standing.kind === 'single')
    for (const cause of ofAmount(standing, payments, present, { paid, now })) all.add(cause);
  const causes = paymentRequestCauses.filter((cause) => all.has(cause));
  const state = causes.length > 0 ? 'unresolved' : stateWithout(standing, present, paid, now);
  return { state, causes, ofPayments, paid, pending };
}

/** What must be decided of one payment by itself: nothing before it is credited. */
function causesOf(standing: Standing, payment: Payment): PaymentRequestCause[] {
  if (payment.state !== 'credited' || payment.isDecided) return [];
  if (!payment.isAccepted) return ['wrong_coin'];
  const { kind, periods, cancelledAt, closed } = standing;
  if (kind === 'single') {
    if (closed === null && cancelledAt !== null) return ['after_cancel'];
    if (isLate(periods, payment)) return ['late'];
    return closed === null ? [] : ['overpaid'];
  }
  const causes: PaymentRequestCause[] = [];
  if (cancelledAt !== null && payment.arrivedAt >= cancelledAt) causes.push('after_cancel');
  else if (isLate(periods, payment)) causes.push('late');
  const worth = worthOf(standing, payment);
  if (standing.amountMinor !== null && worth !== null) causes.push(...differenceOf(standing, worth, 0n));
  return causes;
}

/** Beyond the tolerance; `slackMinor`: what rounding up to a whole step of a coin may add. */
function differenceOf(
  { amountMinor, toleranceMinor }: Standing,
  worth: Value,
  slackMinor: bigint,
): PaymentRequestCause[] {
  invariant(amountMinor !== null, 'a request with an amount');
  const minor = wholeOf(worth);
  if (minor < amountMinor - toleranceMinor) return ['underpaid'];
  return minor > amountMinor + toleranceMinor + slackMinor ? ['overpaid'] : [];
}

/** What must be decided of a single request as a whole. */
function ofAmount(
  standing: Standing,
  payments: readonly Payment[],
  present: readonly Payment[],
  { paid, now }: { paid: Value; now: Date },
): PaymentRequestCause[] {
  const { closed, cancelledAt } = standing;
  if (closed !== null)
    return closed.as === 'accepted' && acceptedValue(standing, payments) < closed.valueMinor ? ['underpaid'] : [];
  if (cancelledAt !== null) return [];
  const counted = present.filter(({ isAccepted }) => isAccepted);
  const [difference] = differenceOf(standing, paid, slackOf(standing, counted));
  if (difference !== 'underpaid') return difference === undefined ? [] : [difference];
  const hasCome = counted.some(({ state }) => state === 'credited');
  const mayCome = counted.some(({ state }) => state === 'seen');
  const isOver = isExpired(standing, now) || !canBeSent(standing, lackOf(standing, paid));
  return isOver && hasCome && !mayCome ? ['underpaid'] : [];
}

/** What is to be sent in a coin for a value that lacks, in the coin's minor units; null: its rate is not known, or it is too little to send. */
export function dueOf({ pricing, decimals }: Standing, method: Method, lack: Value): bigint | null {
  if (pricing !== 'currency') return sendable(wholeAtLeast(lack), method);
  if (method.rate === null || decimals === null) return null;
  return sendable(coinFor(lack, method.decimals, method.rate, decimals), method);
}

function sendable(minor: bigint, { minimumMinor }: Method): bigint | null {
  return minor < minimumMinor ? null : minor;
}

/** Whether what lacks can be sent in one coin at least. */
function canBeSent(standing: Standing, lack: Value): boolean {
  return standing.methods.some((method) => dueOf(standing, method, lack) !== null);
}

/** The value of what was accepted as it is, whole minor units: refunds made since do not lower it, what was taken back does. */
export function acceptedValue(standing: Standing, payments: readonly Payment[]): bigint {
  const accepted = payments.filter(({ state, isDecided }) => state !== 'taken_back' && isDecided);
  return wholeOf(accepted.reduce((total, each) => total + (worthOf(standing, each, each.quantityMinor) ?? 0n), 0n));
}

/** What one step of a coin is worth at most, whole minor units of the asset: an amount in the coin is rounded up by less than that. */
function slackOf({ pricing, decimals: assetDecimals }: Standing, payments: readonly Payment[]): bigint {
  if (pricing !== 'currency' || assetDecimals === null) return 0n;
  return payments.reduce((most, { decimals, rate }) => {
    if (rate === null) return most;
    const minor = stepOf(decimals, rate, assetDecimals);
    const step = wholeOf(valueIn({ minor, decimals }, rate, assetDecimals));
    return step > most ? step : most;
  }, 0n);
}

function stateWithout(standing: Standing, present: readonly Payment[], paid: Value, now: Date): PaymentRequestState {
  const { kind, closed, cancelledAt, amountMinor, toleranceMinor, isOpened } = standing;
  if (closed !== null) return 'settled';
  if (cancelledAt !== null) return 'cancelled';
  if (kind === 'single') {
    invariant(amountMinor !== null, 'a single request has an amount');
    if (wholeOf(paid) >= amountMinor - toleranceMinor) return 'settled';
    if (present.some(({ state }) => state === 'seen')) return 'processing';
  }
  if (isExpired(standing, now)) return 'expired';
  return isOpened ? 'open' : 'preparing';
}

/** Of its latest period. */
function isExpired({ periods }: Pick<Standing, 'periods'>, now: Date): boolean {
  const expiresAt = periods.at(-1)?.expiresAt ?? null;
  return expiresAt !== null && expiresAt <= now;
}

/** What lacks of a single request's amount after what was credited and what was seen; not below nothing. Null of others. */
export function remainingOf(standing: Standing, { paid, pending }: Pick<Judgement, 'paid' | 'pending'>): Value | null {
  const { kind, amountMinor } = standing;
  return kind !== 'single' || amountMinor === null ? null : lackOf(standing, paid + pending);
}

function lackOf({ amountMinor }: Standing, came: Value): Value {
  const rest = exactly(amountMinor ?? 0n) - came;
  return rest > 0n ? rest : 0n;
}

/** Whether a payment made now is one that the company waits for. */
export function isPayable(standing: Standing, judgement: Judgement, now: Date): boolean {
  const { isOpened, closed, cancelledAt, toleranceMinor } = standing;
  if (!isOpened || closed !== null || cancelledAt !== null || isExpired(standing, now)) return false;
  const rest = remainingOf(standing, judgement);
  return rest === null || (rest > exactly(toleranceMinor) && canBeSent(standing, rest));
}

/** Who must act next. */
export function actorOf(state: PaymentRequestState): PaymentRequestActor | null {
  return (
    ({ preparing: 'worker', open: 'payer', processing: 'chain', unresolved: 'company' } as const)[state as 'open'] ??
    null
  );
}

/** What a member may do with it now, apart from whose it is. */
export function decisionsOn(standing: Standing, payments: readonly Payment[], judgement: Judgement, now: Date) {
  const { kind, closed, cancelledAt, isOpened } = standing;
  const { state, causes } = judgement;
  const hasCredited = payments.some((each) => each.state === 'credited' && netOf(each) > 0n);
  const isSingle = kind === 'single';
  const isRunning = closed === null && cancelledAt === null;
  const rest = remainingOf(standing, judgement) ?? 0n;
  const hasAccepted = payments.some((each) => each.isAccepted && each.state === 'credited' && netOf(each) > 0n);
  return {
    cancel:
      isRunning && !isExpired(standing, now) && (isSingle ? !payments.some(isPresent) && state !== 'settled' : true),
    accept: state === 'unresolved' || (isSingle && state === 'open' && hasAccepted),
    askRest:
      isSingle &&
      isRunning &&
      isOpened &&
      hasAccepted &&
      rest > 0n &&
      canBeSent(standing, rest) &&
      state !== 'settled' &&
      !causes.includes('overpaid'),
    settleByHand: isSingle && isRunning && state !== 'settled',
    refund: hasCredited,
    edit: ['preparing', 'open', 'processing', 'unresolved'].includes(state),
    remind: isPayable(standing, judgement, now),
  };
}

const isPresent = (payment: Payment) => payment.state !== 'taken_back' && netOf(payment) > 0n;
