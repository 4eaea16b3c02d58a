import type { Body } from '@causeway/contract/call.ts';
import type { Language } from '@causeway/contract/locale.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import type { createPaymentRequest, PaymentRequest } from '@causeway/contract/payment-requests.ts';
import {
  askedDecimals,
  longestFrozenRateMinutes,
  mostTolerancePercent,
  type PaymentRequestKind,
  type PaymentRequestPricing,
} from '@causeway/contract/payment-requests-rules.ts';
import { isoIn } from '../../lib/days.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { plain } from '../transfers/index.ts';
import type { RequestOptions } from './api.ts';

export type Accepted = RequestOptions['accepted'][number];

/** How long it can be paid, as it is chosen: hours from now; `at` is a time that is typed, `none` has no end. */
export const periods = ['1', '24', '72', '168', '720', 'at', 'none'] as const;
export type Period = (typeof periods)[number];

/** Days of reminders that are offered, from the due date; before it negative. */
export const offeredReminders = [-7, -3, -1, 0, 1, 3, 7] as const;

export interface RequestValues {
  /** Chosen here, so that the same form sent twice is one request. */
  id: string;
  kind: PaymentRequestKind;
  pricing: PaymentRequestPricing;
  asset: string;
  amount: string;
  /** Coins on chains: `USDT.ethereum`. */
  accepted: readonly string[];
  title: string;
  reference: string;
  note: string;
  period: Period;
  /** A local time, where the period is `at`. */
  until: string;
  dueOn: string;
  payerName: string;
  payerEmail: string;
  payerLanguage: Language;
  reminderDays: readonly number[];
  toleranceIn: 'none' | 'percent' | 'units';
  tolerance: string;
}

export function emptyRequest(id: string, payerLanguage: Language): RequestValues {
  return {
    ...{ id, kind: 'single', pricing: 'currency', asset: '', amount: '', accepted: [] },
    ...{ title: '', reference: '', note: '', period: '24', until: '', dueOn: '' },
    ...{ payerName: '', payerEmail: '', payerLanguage, reminderDays: [], toleranceIn: 'none', tolerance: '' },
  };
}

export function methodKey({ coin, chainId }: Pick<Accepted, 'coin' | 'chainId'>): string {
  return `${coin}.${chainId}`;
}

/** In what a request of a kind can be: a reusable one has no currency, whose rates would have no end. */
export function pricingsOf(kind: PaymentRequestKind): readonly PaymentRequestPricing[] {
  return kind === 'single' ? ['currency', 'coin'] : ['coin', 'open'];
}

/** What can be accepted: of an amount in a coin, that coin; in a currency, the coins that have a rate. */
export function acceptable(
  { pricing, asset }: Pick<RequestValues, 'pricing' | 'asset'>,
  options: RequestOptions,
): readonly Accepted[] {
  if (pricing === 'open') return options.accepted;
  if (pricing === 'coin') return options.accepted.filter(({ coin }) => coin === asset);
  return options.accepted.filter(({ coin }) => rateOf(options, coin, asset) !== null);
}

/** Units of a currency for one whole coin; null where no rate holds. */
export function rateOf({ rates }: RequestOptions, coin: string, currency: string): string | null {
  return rates.find((rate) => rate.coin === coin && rate.currency === currency)?.rate ?? null;
}

export function decimalsOf(
  { pricing, asset }: Pick<RequestValues, 'pricing' | 'asset'>,
  options: RequestOptions,
): number {
  const known =
    pricing === 'currency'
      ? options.currencies.find(({ currency }) => currency === asset)
      : options.accepted.find(({ coin }) => coin === asset);
  return known?.decimals ?? 18;
}

/**
 * What an amount in a currency comes to in a coin at a rate, rounded up to what wallets can send, as the request will have it; null where either is unreadable.
 * @param decimals of the coin
 */
export function inCoin(amount: string, rate: string, decimals: number, currencyDecimals: number): string | null {
  const [value, valueScale] = digitsOf(amount);
  const [price, priceScale] = digitsOf(rate);
  if (value === null || price === null || price === 0n) return null;
  const step = decimals - askedDecimals(rate, decimals, currencyDecimals);
  const above = value * 10n ** BigInt(priceScale + decimals);
  const below = price * 10n ** BigInt(valueScale + step);
  return formatAmount(((above + below - 1n) / below) * 10n ** BigInt(step), decimals);
}

function digitsOf(text: string): [bigint | null, number] {
  const match = /^(\d+)(?:\.(\d+))?$/.exec(text);
  const fraction = match?.[2] ?? '';
  return [match?.[1] === undefined ? null : BigInt(match[1] + fraction), fraction.length];
}

/** When its period ends, as an instant; null: it does not. `now` in milliseconds. */
export function endOf({ period, until }: Pick<RequestValues, 'period' | 'until'>, now: number): string | null {
  if (period === 'none') return null;
  const at = period === 'at' ? new Date(until) : new Date(now + Number(period) * 3_600_000);
  return Number.isNaN(at.getTime()) ? null : at.toISOString();
}

export type ReadyRequest = RequestValues;

/** Checks the form before it is sent; `now` in milliseconds. */
export function checkRequest(
  values: RequestValues,
  options: RequestOptions | undefined,
  now: number,
): Checked<ReadyRequest> {
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof RequestValues, message: string) => problems.push({ path: [field], message });
  if (values.title.trim() === '') refuse('title', 'field.required');
  if (values.pricing !== 'open') {
    if (values.asset === '') refuse('asset', 'field.required');
    const amount = options && parseAmount(plain(values.amount), decimalsOf(values, options));
    if (values.amount === '' || (amount && (!amount.ok || amount.minor === 0n))) refuse('amount', 'field.required');
  }
  if (acceptedOf(values, options).length === 0) refuse('accepted', 'field.required');
  checkPeriod(values, now, refuse);
  checkDueDate(values, options, now, refuse);
  if (values.payerEmail.trim() !== '' && !isEmail(values.payerEmail.trim())) refuse('payerEmail', 'field.email');
  if (values.toleranceIn !== 'none') {
    const isPercent = values.toleranceIn === 'percent';
    const fits = /^\d+(\.\d+)?$/.test(plain(values.tolerance));
    const isLow =
      !isPercent ||
      (/^\d{1,2}(\.\d{1,2})?$/.test(values.tolerance) && Number(values.tolerance) <= mostTolerancePercent);
    if (!fits || !isLow) refuse('tolerance', isPercent ? 'collections.form.tolerancePercent' : 'field.amount');
  }
  return problems.length === 0 ? { ok: true, values } : { ok: false, problems };
}

function checkPeriod(
  values: RequestValues,
  now: number,
  refuse: (field: keyof RequestValues, message: string) => void,
): void {
  const end = endOf(values, now);
  if (end === null) {
    if (values.kind === 'single' || values.period === 'at')
      refuse(values.period === 'at' ? 'until' : 'period', 'field.required');
    return;
  }
  const minutes = (Date.parse(end) - now) / 60_000;
  if (minutes <= 0) refuse('until', 'collections.form.untilPast');
  if (values.pricing === 'currency' && minutes > longestFrozenRateMinutes)
    refuse(values.period === 'at' ? 'until' : 'period', 'collections.form.rateTooLong');
}

/** A due date is a day of the company's calendar, on which the request can still be paid. */
function checkDueDate(
  values: RequestValues,
  options: RequestOptions | undefined,
  now: number,
  refuse: (field: keyof RequestValues, message: string) => void,
): void {
  const { dueOn } = values;
  if (dueOn === '' || options === undefined) return;
  const dayAt = (at: number | string) => isoIn(options.timeZone, new Date(at));
  const end = endOf(values, now);
  if (dueOn < dayAt(now)) refuse('dueOn', 'collections.form.duePast');
  else if (end !== null && dueOn > dayAt(end)) refuse('dueOn', 'collections.form.dueAfterEnd');
}

/** Those that are chosen and can be accepted. */
export function acceptedOf(values: RequestValues, options: RequestOptions | undefined): readonly Accepted[] {
  if (options === undefined) return [];
  return acceptable(values, options).filter((each) => values.accepted.includes(methodKey(each)));
}

/** What the call is sent; `now` in milliseconds: the period begins to run when it is sent. */
export function bodyOf(values: RequestValues, options: RequestOptions, now: number): Body<typeof createPaymentRequest> {
  const isOpen = values.pricing === 'open';
  const [payerName, email] = [values.payerName.trim(), values.payerEmail.trim()];
  const hasPayer = payerName !== '' || email !== '';
  return {
    id: values.id,
    title: values.title.trim(),
    reference: values.reference.trim(),
    note: values.note.trim(),
    kind: values.kind,
    pricing: values.pricing,
    asset: isOpen ? null : values.asset,
    amount: isOpen ? null : plain(values.amount),
    accepted: acceptedOf(values, options).map(({ chainId, coin }) => ({ chainId, coin })),
    tolerance: toleranceOf(values),
    dueOn: values.dueOn === '' ? null : values.dueOn,
    expiresAt: endOf(values, now),
    payer: hasPayer ? { name: payerName, email: email === '' ? null : email, language: values.payerLanguage } : null,
    reminderDays: mayRemind(values) ? [...values.reminderDays] : [],
  };
}

function toleranceOf({
  pricing,
  toleranceIn,
  tolerance,
}: RequestValues): Body<typeof createPaymentRequest>['tolerance'] {
  if (pricing === 'open' || toleranceIn === 'none') return { percent: '0' };
  return toleranceIn === 'percent' ? { percent: tolerance } : { units: plain(tolerance) };
}

/** What came to a single request above its amount, in its asset; null: nothing did, or its payer decides. */
export function excessOf({
  amount,
  paid,
  decimals,
}: Pick<PaymentRequest, 'amount' | 'paid' | 'decimals'>): string | null {
  if (amount === null || paid === null || decimals === null) return null;
  const [asked, came] = [parseAmount(amount, decimals), parseAmount(paid, decimals)];
  return asked.ok && came.ok && came.minor > asked.minor ? formatAmount(came.minor - asked.minor, decimals) : null;
}

/** A reminder needs a day to count from and an address to go to. */
export function mayRemind({ dueOn, payerEmail }: Pick<RequestValues, 'dueOn' | 'payerEmail'>): boolean {
  return dueOn !== '' && payerEmail.trim() !== '';
}

/** As far as a form can know it; the server decides. */
export function isEmail(text: string): boolean {
  return /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);
}
