import type { Output } from '@causeway/contract/call.ts';
import type { ExchangeContent, ExchangeQuote, getExchangeOptions } from '@causeway/contract/exchange.ts';
import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { defaultTolerance } from '@causeway/contract/exchange-rules.ts';
import type { CodeMethod } from '@causeway/contract/identity.ts';
import { formatAmount, parseAmount } from '@causeway/contract/money.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { plain } from '../transfers/index.ts';

export type ExchangeWallet = Output<typeof getExchangeOptions>['wallets'][number];

/** When it is exchanged: at the quote on screen, or once the rate reaches a limit. */
export const timings = ['now', 'limit'] as const;
export type Timing = (typeof timings)[number];

/** The values of the form. */
export interface ExchangeValues {
  /** The exchange's own id, chosen here, so that the same form sent twice is one exchange. */
  id: string;
  sellWalletId: string;
  buyWalletId: string;
  /** The side whose amount was typed; the other one follows from the quote. */
  fixed: ExchangeSide;
  amount: string;
  timing: Timing;
  /** Of a limit order: the rate that it waits for, and until when, as the field of a local time has it. */
  limitRate: string;
  limitUntil: string;
  /** Basis points, as text. */
  tolerance: string;
  /** The worst amount of the other side that the person accepts; empty until there is a quote. */
  bound: string;
  notes: string;
  codeMethod: CodeMethod;
  code: string;
}

export function emptyExchange(id: string): ExchangeValues {
  return {
    id,
    sellWalletId: '',
    buyWalletId: '',
    fixed: 'sell',
    amount: '',
    timing: 'now',
    limitRate: '',
    limitUntil: '',
    tolerance: String(defaultTolerance),
    bound: '',
    notes: '',
    codeMethod: 'email',
    code: '',
  };
}

/** What a quote is asked for. */
export type Intent = Pick<ExchangeContent, 'sellWalletId' | 'buyWalletId' | 'fixed' | 'amount'>;

/** Null until wallets and amount are there. */
export function intentOf(values: ExchangeValues, sold: ExchangeWallet | undefined, bought: ExchangeWallet | undefined) {
  const { fixed, amount } = values;
  const wallet = fixed === 'sell' ? sold : bought;
  if (sold === undefined || bought === undefined || wallet === undefined) return null;
  const read = parseAmount(plain(amount), wallet.decimals);
  if (amount === '' || !read.ok || read.minor === 0n) return null;
  return { sellWalletId: sold.walletId, buyWalletId: bought.walletId, fixed, amount: plain(amount) } satisfies Intent;
}

/** The amount that follows from the rate: what arrives, or all that leaves. */
export function followingOf({ fixed, sell, buy }: Pick<ExchangeQuote, 'fixed' | 'sell' | 'buy'>) {
  return fixed === 'sell'
    ? { amount: buy.quantity, decimals: buy.decimals, asset: buy.asset }
    : { amount: sell.total, decimals: sell.decimals, asset: sell.asset };
}

const whole = 10_000n;

/** The bound that a tolerance (basis points) gives: what arrives is rounded down, what leaves up. */
export function boundOf(quote: Pick<ExchangeQuote, 'fixed' | 'sell' | 'buy'>, tolerance: number): string {
  const { amount, decimals } = followingOf(quote);
  const minor = minorOf(amount, decimals);
  const least = (minor * (whole - BigInt(tolerance))) / whole;
  const most = (minor * (whole + BigInt(tolerance)) + whole - 1n) / whole;
  return formatAmount(quote.fixed === 'sell' ? (least > 0n ? least : 1n) : most, decimals);
}

/** What a limit order brings at least: the rate's decimals are exact, and what it comes to is rounded down. Null: it would be nothing. */
export function boundAt({ sell, buy }: Pick<ExchangeQuote, 'sell' | 'buy'>, rate: string): string | null {
  const [whole_ = '', fraction = ''] = plain(rate).split('.');
  if (!/^\d+$/.test(whole_ + fraction)) return null;
  const over = minorOf(sell.quantity, sell.decimals) * BigInt(whole_ + fraction) * 10n ** BigInt(buy.decimals);
  const minor = over / 10n ** BigInt(sell.decimals + fraction.length);
  return minor > 0n ? formatAmount(minor, buy.decimals) : null;
}

/** Whether a quote is as good as the bound, or better. */
export function isWithin(quote: Pick<ExchangeQuote, 'fixed' | 'sell' | 'buy'>, bound: string): boolean {
  const { amount, decimals } = followingOf(quote);
  const [now, limit] = [minorOf(amount, decimals), minorOf(bound, decimals)];
  return quote.fixed === 'sell' ? now >= limit : now <= limit;
}

/** By how much a renewed quote differs: signed, and whether that is better for the person. Null when it is the same. */
export function differenceOf(
  before: Pick<ExchangeQuote, 'fixed' | 'sell' | 'buy'>,
  now: Pick<ExchangeQuote, 'fixed' | 'sell' | 'buy'>,
): { amount: string; asset: string; better: boolean } | null {
  const { amount, decimals, asset } = followingOf(now);
  const change = minorOf(amount, decimals) - minorOf(followingOf(before).amount, decimals);
  if (change === 0n) return null;
  return { amount: formatAmount(change, decimals), asset, better: now.fixed === 'sell' ? change > 0n : change < 0n };
}

function minorOf(text: string, decimals: number): bigint {
  const amount = parseAmount(text, decimals);
  if (!amount.ok) throw new Error(`${text} is no amount of ${decimals} decimals`);
  return amount.minor;
}

/** What the form makes of its values: everything that the call takes but the quote, which is the one on screen. */
export interface ReadyExchange {
  content: ExchangeContent;
  codeMethod: CodeMethod;
  code: string;
}

/** What the form knows beside its values. */
export interface Surroundings {
  sold: ExchangeWallet | undefined;
  bought: ExchangeWallet | undefined;
}

/** Checks the form before it is sent. */
export function checkExchange(values: ExchangeValues, around: Surroundings): Checked<ReadyExchange> {
  const checked = checkContent(values, around);
  const problems: FieldProblem[] = checked.ok ? [] : [...checked.problems];
  if (!/^\d{6}$/.test(values.code)) problems.push({ path: ['code'], message: 'field.code' });
  return checked.ok && problems.length === 0 ? checked : { ok: false, problems };
}

/** The same of what a code is asked for: the code itself is still to come. */
export function checkContent(values: ExchangeValues, { sold, bought }: Surroundings): Checked<ReadyExchange> {
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof ExchangeValues, message: string) => problems.push({ path: [field], message });
  if (values.sellWalletId === '') refuse('sellWalletId', 'field.required');
  else if (sold !== undefined && sold.cannotSell !== null) {
    refuse('sellWalletId', `exchanges.cannotSell.${sold.cannotSell}`);
  }
  if (values.buyWalletId === '') refuse('buyWalletId', 'field.required');
  else if (bought !== undefined && bought.cannotBuy !== null) {
    refuse('buyWalletId', `exchanges.cannotBuy.${bought.cannotBuy}`);
  }
  const intent = intentOf(values, sold, bought);
  if (values.amount === '' || (sold !== undefined && bought !== undefined && intent === null)) {
    refuse('amount', 'field.required');
  }
  const until = new Date(values.limitUntil);
  const isLimit = values.timing === 'limit';
  if (isLimit && !/[1-9]/.test(values.limitRate)) refuse('limitRate', 'field.required');
  if (isLimit && Number.isNaN(until.getTime())) refuse('limitUntil', 'field.required');
  if (problems.length > 0 || intent === null) return { ok: false, problems };
  if (values.bound === '') {
    return { ok: false, problems: [{ path: [isLimit ? 'limitRate' : 'bound'], message: 'exchanges.form.noQuote' }] };
  }
  const { id, bound, limitRate, notes, codeMethod, code } = values;
  const limit = isLimit && { limit: { rate: plain(limitRate), until: until.toISOString() } };
  const content = { id, ...intent, bound, ...limit, ...(notes.trim() !== '' && { notes }) };
  return { ok: true, values: { content, codeMethod, code } };
}

/** What a code by email is bound to, as one text: when it changes after the code was sent, the code no longer holds. */
export function boundTo({
  id,
  sellWalletId,
  buyWalletId,
  fixed,
  amount,
  bound,
  limit,
  notes,
}: ExchangeContent): string {
  return JSON.stringify([id, sellWalletId, buyWalletId, fixed, amount, bound, limit ?? null, notes ?? '']);
}
