import { createHash } from 'node:crypto';
import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import { invariant } from '../../platform/domain-error.ts';
import { refusal } from '../ledger/index.ts';

/**
 * The price of an exchange: integers and exact fractions alone, no floating point. Every amount follows from the two middle prices and the
 * spread exactly, and is rounded once, to whole minor units, against the customer (ADR 80). The rate that is shown is that fraction as a decimal.
 */

/** Significant digits of a rate as it is shown and kept: of any amount that exists, what lies beyond them is less than a minor unit. */
const rateDigits = 30;
const wholeBasisPoints = 10_000n;

/** An exact positive number. */
interface Ratio {
  over: bigint;
  under: bigint;
}

/** By what an exchange is priced. */
export interface Terms {
  sell: { decimals: number; usd: string };
  buy: { decimals: number; usd: string };
  /** What the rate is below the middle rate. */
  spreadBasisPoints: number;
  /** Of what is exchanged. */
  feeBasisPoints: number;
}

/** What an exchange comes to; amounts in minor units, rates as plain decimals of whole units. */
export interface Priced {
  /** What is exchanged. */
  soldMinor: bigint;
  /** Beside it, of the sold asset. */
  feeMinor: bigint;
  boughtMinor: bigint;
  /** Whole units bought for one sold, without the fee, rounded down to `rateDigits`. */
  rate: string;
  /** The same between the middle prices. */
  mid: string;
}

/**
 * Prices an exchange of which one side is fixed: all that leaves the sold wallet, fee included, or what arrives in the bought one.
 * @throws DomainError exchangeTooSmall where a side would be nothing
 */
export function priceExchange(fixed: ExchangeSide, amountMinor: bigint, terms: Terms): Priced {
  const { spreadBasisPoints, feeBasisPoints } = terms;
  invariant(isBasisPoints(spreadBasisPoints) && isBasisPoints(feeBasisPoints), 'spread and fee are whole basis points');
  const middle = middleOf(terms);
  const spread = BigInt(Math.min(spreadBasisPoints, Number(wholeBasisPoints)));
  const rate = { over: middle.over * (wholeBasisPoints - spread), under: middle.under * wholeBasisPoints };
  return priced(fixed, amountMinor, terms, { rate, middle });
}

/**
 * The same at a rate that a person of the desk names: whole units bought for one sold, a plain decimal. What it is below the middle rate is said in whole
 * basis points, rounded up; null: it is above.
 * @throws DomainError exchangeTooSmall where a side would be nothing
 */
export function priceAtRate(
  fixed: ExchangeSide,
  amountMinor: bigint,
  terms: Omit<Terms, 'spreadBasisPoints'> & { rate: string },
): Priced & { spreadBasisPoints: number | null } {
  const middle = middleOf(terms);
  const rate = ratioOf(terms.rate);
  const [at, mid] = [rate.over * middle.under, middle.over * rate.under];
  return {
    ...priced(fixed, amountMinor, terms, { rate, middle }),
    spreadBasisPoints: at > mid ? null : Number(divideUp((mid - at) * wholeBasisPoints, mid)),
  };
}

/** The middle rate, and the one that is so much below it; plain. */
export function ratesAt(terms: { sell: { usd: string }; buy: { usd: string }; spreadBasisPoints: number }): {
  mid: string;
  usual: string;
} {
  const middle = middleOf(terms);
  const share = wholeBasisPoints - BigInt(Math.min(terms.spreadBasisPoints, Number(wholeBasisPoints)));
  const usual = { over: middle.over * share, under: middle.under * wholeBasisPoints };
  return { mid: textOf(below(middle)), usual: share === 0n ? '0' : textOf(below(usual)) };
}

function priced(
  fixed: ExchangeSide,
  amountMinor: bigint,
  terms: Omit<Terms, 'spreadBasisPoints'>,
  { rate, middle }: { rate: Ratio; middle: Ratio },
): Priced {
  if (amountMinor <= 0n || rate.over === 0n) throw tooSmall();
  const minor = inMinor(rate, terms);
  const fee = BigInt(terms.feeBasisPoints);
  const amounts = fixed === 'sell' ? ofTotal(amountMinor, minor, fee) : ofBought(amountMinor, minor, fee);
  if (amounts.soldMinor <= 0n || amounts.boughtMinor <= 0n) throw tooSmall();
  return { ...amounts, rate: textOf(below(rate)), mid: textOf(below(middle)) };
}

/** The fee comes out of the total, so that all of a balance can be sold; what the fee leaves is exchanged. */
function ofTotal(totalMinor: bigint, rate: Ratio, feeBasisPoints: bigint) {
  const soldMinor = (totalMinor * wholeBasisPoints) / (wholeBasisPoints + feeBasisPoints);
  return { soldMinor, feeMinor: totalMinor - soldMinor, boughtMinor: (soldMinor * rate.over) / rate.under };
}

/** The least that gives what is to arrive, and the fee on it. */
function ofBought(boughtMinor: bigint, rate: Ratio, feeBasisPoints: bigint) {
  const soldMinor = divideUp(boughtMinor * rate.under, rate.over);
  return { soldMinor, feeMinor: divideUp(soldMinor * feeBasisPoints, wholeBasisPoints), boughtMinor };
}

/** What an amount comes to at a rate, in minor units of the bought asset, rounded down. */
export function atRate(soldMinor: bigint, rate: string, decimals: { sell: number; buy: number }): bigint {
  const { over, under } = ratioOf(rate);
  return (soldMinor * over * 10n ** BigInt(decimals.buy)) / (under * 10n ** BigInt(decimals.sell));
}

/** A rate as PostgreSQL writes the number: without zeros before it and at its end. */
export function plainRate(rate: string): string {
  const [whole = '', fraction = ''] = rate.split('.');
  const rest = fraction.replace(/0+$/, '');
  return `${whole.replace(/^0+(?=\d)/, '')}${rest && `.${rest}`}`;
}

function tooSmall() {
  return refusal('exchangeTooSmall', {}, 'amount');
}

/** What the difference to the middle rate costs of the bought asset, rounded down. */
export function costOfSpread({ soldMinor, boughtMinor }: Priced, terms: Pick<Terms, 'sell' | 'buy'>): bigint {
  const minor = inMinor(middleOf(terms), terms);
  const atMid = (soldMinor * minor.over) / minor.under;
  return atMid > boughtMinor ? atMid - boughtMinor : 0n;
}

/** How many whole units of the sold asset one of the bought one costs, rounded down; plain. */
export function inverseOf(rate: string): string {
  const { over, under } = ratioOf(rate);
  return textOf(below({ over: under, under: over }));
}

/** Whole units of the bought asset for one of the sold, by the middle prices alone. */
function middleOf({ sell, buy }: { sell: { usd: string }; buy: { usd: string } }): Ratio {
  const [one, other] = [ratioOf(sell.usd), ratioOf(buy.usd)];
  return { over: one.over * other.under, under: one.under * other.over };
}

/** A decimal as PostgreSQL writes it, exactly. */
function ratioOf(text: string): Ratio {
  const match = /^(\d{1,80})(?:\.(\d{1,80}))?$/.exec(text);
  invariant(match, `${text} is a plain decimal`);
  const [, whole = '', fraction = ''] = match;
  const over = BigInt(whole + fraction);
  invariant(over > 0n, `${text} is positive`);
  return { over, under: 10n ** BigInt(fraction.length) };
}

/** `units` divided by ten to the power of `scale`. */
interface Decimal {
  units: bigint;
  scale: number;
}

/** The number rounded down to `rateDigits` significant digits. */
function below({ over, under }: Ratio): Decimal {
  const length = over.toString().length - under.toString().length;
  const scale = Math.max(rateDigits - length, 0);
  return { units: (over * 10n ** BigInt(scale)) / under, scale };
}

/** A rate between whole units, as one between minor units. */
function inMinor({ over, under }: Ratio, { sell, buy }: Pick<Terms, 'sell' | 'buy'>): Ratio {
  return { over: over * 10n ** BigInt(buy.decimals), under: under * 10n ** BigInt(sell.decimals) };
}

/** Plain, without zeros at the end. */
function textOf({ units, scale }: Decimal): string {
  const text = formatAmount(units, scale);
  return text.includes('.') ? text.replace(/\.?0+$/, '') : text;
}

function divideUp(over: bigint, under: bigint): bigint {
  return (over + under - 1n) / under;
}

function isBasisPoints(value: number): boolean {
  return Number.isInteger(value) && value >= 0;
}

/** What an exchange is, as its code and its approvals are bound to it; amounts in minor units. */
export interface ExchangeSubject {
  companyId: string;
  exchangeId: string;
  sellWalletId: string;
  buyWalletId: string;
  fixed: ExchangeSide;
  amountMinor: bigint;
  /** The worst amount of the other side. */
  boundMinor: bigint;
  /** Of a limit order: the rate as it is stored, and until when it waits. */
  limit: Limit | null;
  /** As stored; empty where none were given. */
  notes: string;
}

/** What a limit order waits for. */
export interface Limit {
  /** Whole units bought for one sold, fee not counted; a plain decimal without zeros at its end. */
  rate: string;
  until: Date;
}

/** SHA-256, hex, of the subject in one fixed form. */
export function exchangeDigest(subject: ExchangeSubject): string {
  return sha256([
    'causeway.exchange.1',
    subject.companyId,
    subject.exchangeId,
    subject.sellWalletId,
    subject.buyWalletId,
    subject.fixed,
    subject.amountMinor.toString(),
    subject.boundMinor.toString(),
    subject.notes,
    ...(subject.limit ? [subject.limit.rate, subject.limit.until.toISOString()] : []),
  ]);
}

/** A quote's content: for whom, for what, at what price. */
export interface QuoteContent extends Priced {
  companyId: string;
  id: string;
  memberId: string;
  sellWalletId: string;
  buyWalletId: string;
  fixed: ExchangeSide;
}

/** SHA-256, hex, of a quote in one fixed form: a stored quote that no longer has it is not executed. */
export function quoteDigest(quote: QuoteContent): string {
  return sha256([
    'causeway.quote.1',
    quote.companyId,
    quote.id,
    quote.memberId,
    quote.sellWalletId,
    quote.buyWalletId,
    quote.fixed,
    quote.soldMinor.toString(),
    quote.feeMinor.toString(),
    quote.boughtMinor.toString(),
    quote.rate,
    quote.mid,
  ]);
}

function sha256(parts: readonly string[]): string {
  return createHash('sha256').update(JSON.stringify(parts)).digest('hex');
}

/** What is compared with the bound of an exchange; minor units. */
interface Bounded {
  fixed: ExchangeSide;
  soldMinor: bigint;
  feeMinor: bigint;
  boughtMinor: bigint;
}

/** The amount that a person fixed, by its quote. */
export function fixedAmountOf({ fixed, soldMinor, feeMinor, boughtMinor }: Bounded): bigint {
  return fixed === 'sell' ? soldMinor + feeMinor : boughtMinor;
}

/** Whether a price is as good as the person accepted, or better: at least so much arrives, or at most so much leaves. */
export function isWithin(boundMinor: bigint, { fixed, soldMinor, feeMinor, boughtMinor }: Bounded): boolean {
  return fixed === 'sell' ? boughtMinor >= boundMinor : soldMinor + feeMinor <= boundMinor;
}
