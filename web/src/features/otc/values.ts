import type { Output } from '@causeway/contract/call.ts';
import type { ExchangeContent, ExchangeQuote, getExchangeOptions } from '@causeway/contract/exchange.ts';
import type { ExchangeSide } from '@causeway/contract/exchange-rules.ts';
import { parseAmount } from '@causeway/contract/money.ts';
import { otcRatePattern } from '@causeway/contract/otc-rules.ts';
import type { Checked, FieldProblem } from '../../ui/form-state.ts';
import { plain } from '../transfers/index.ts';

export type Wallet = Output<typeof getExchangeOptions>['wallets'][number];

/** How long an answer is useful, as it is chosen: hours from now. */
export const waits = ['1', '4', '24', '72', '168'] as const;
export type Wait = (typeof waits)[number];

export interface AskValues {
  /** Chosen here, so that the same form sent twice is one request. */
  key: string;
  sellWalletId: string;
  buyWalletId: string;
  fixed: ExchangeSide;
  amount: string;
  wait: Wait;
  note: string;
}

export function emptyRequest(key: string): AskValues {
  return { key, sellWalletId: '', buyWalletId: '', fixed: 'sell', amount: '', wait: '4', note: '' };
}

/** What the call is sent with but the deadline, which begins to run when it is sent. */
export type ReadyRequest = AskValues;

export function checkRequest(values: AskValues, wallets: readonly Wallet[]): Checked<ReadyRequest> {
  const problems: FieldProblem[] = [];
  const refuse = (field: keyof AskValues, message: string) => problems.push({ path: [field], message });
  const of = (id: string) => wallets.find(({ walletId }) => walletId === id);
  const [sold, bought] = [of(values.sellWalletId), of(values.buyWalletId)];
  if (sold === undefined) refuse('sellWalletId', 'field.required');
  if (bought === undefined) refuse('buyWalletId', 'field.required');
  else if (sold?.asset === bought.asset) refuse('buyWalletId', 'field.invalid');
  const wallet = values.fixed === 'sell' ? sold : bought;
  const read = wallet && parseAmount(plain(values.amount), wallet.decimals);
  if (values.amount === '' || (read && (!read.ok || read.minor === 0n))) refuse('amount', 'field.required');
  if (problems.length > 0) return { ok: false, problems };
  return { ok: true, values: { ...values, amount: plain(values.amount), note: values.note.trim() } };
}

/** The instant that is so many hours from now. */
export function deadlineOf(wait: Wait, now: number): string {
  return new Date(now + Number(wait) * 3_600_000).toISOString();
}

export interface CounterValues {
  by: 'rate' | 'amount';
  rate: string;
  wanted: string;
  text: string;
}

export function checkCounter(values: CounterValues): Checked<CounterValues> {
  const { by, rate, wanted } = values;
  const isRate = otcRatePattern.test(rate) && /[1-9]/.test(rate);
  const isAmount = /^\d+(\.\d+)?$/.test(wanted) && /[1-9]/.test(wanted);
  if (by === 'rate' ? isRate : isAmount) return { ok: true, values: { ...values, text: values.text.trim() } };
  return {
    ok: false,
    problems: [
      by === 'rate' ? { path: ['rate'], message: 'field.rate' } : { path: ['wanted'], message: 'field.amount' },
    ],
  };
}

export function checkText({ text }: { text: string }): Checked<{ text: string }> {
  const trimmed = text.trim();
  if (trimmed !== '') return { ok: true, values: { text: trimmed } };
  return { ok: false, problems: [{ path: ['text'], message: 'field.required' }] };
}

/** The exchange that accepts an offer: exactly what was quoted, and no worse. */
export function contentOf(id: string, { fixed, sell, buy }: ExchangeQuote): ExchangeContent {
  return {
    id,
    sellWalletId: sell.walletId,
    buyWalletId: buy.walletId,
    fixed,
    amount: fixed === 'sell' ? sell.total : buy.quantity,
    bound: fixed === 'sell' ? buy.quantity : sell.total,
  };
}
