import type { PaymentRequest } from '@causeway/contract/payment-requests.ts';
import {
  type PaymentRequestPricing,
  type PaymentRequestState,
  paymentRequestCauses,
  paymentRequestKinds,
  paymentRequestStates,
} from '@causeway/contract/payment-requests-rules.ts';
import type { Translate } from '../../lib/locale.tsx';
import { amountLine } from '../../ui/amount-parts.ts';
import type { Tone } from '../../ui/status-dot.tsx';

/** Text ids by value, for filters. */
export const stateTexts = textsOf('state', paymentRequestStates);
export const causeTexts = textsOf('cause', paymentRequestCauses);
export const kindTexts = textsOf('kind', paymentRequestKinds);

function textsOf(group: string, values: readonly string[]): Record<string, string> {
  return Object.fromEntries(values.map((value) => [value, `collections.${group}.${value}`]));
}

export const stateTones: Record<PaymentRequestState, Tone> = {
  preparing: 'progress',
  open: 'notice',
  processing: 'progress',
  settled: 'positive',
  expired: 'neutral',
  cancelled: 'neutral',
  unresolved: 'pending',
};

/** Whether a request's link is to be sent to a payer: there is something to pay, or soon will be. */
export function isToPay(state: PaymentRequestState): boolean {
  return state === 'preparing' || state === 'open' || state === 'processing';
}

/** Where it can be paid now: nowhere once it has ended, nor where nothing lacks that can be sent. */
export function toPay<Option extends { amount: string | null }>(request: {
  state: PaymentRequestState;
  pricing: PaymentRequestPricing;
  options: readonly Option[];
}): readonly Option[] {
  const { state, pricing, options } = request;
  if (!isToPay(state) && state !== 'unresolved') return [];
  return options.filter(({ amount }) => amount !== null || pricing === 'open');
}

/** The text of what its link leads to. */
export function linkText(state: PaymentRequestState): string {
  return isToPay(state) ? 'collections.share.text' : `collections.share.${state}`;
}

/** The text of why it is underpaid: `rest` in it is what lacks. */
export function underpaidText({ options }: { options: readonly { amount: string | null }[] }): string {
  // In no coin is the rest enough to be sent.
  const isTooLittle = options.every(({ amount }) => amount === null);
  return isTooLittle ? 'collections.causeText.tooLittle' : 'collections.causeText.underpaid';
}

/** What it asks for, in words. */
export function askedLine(t: Translate, { amount, asset }: Pick<PaymentRequest, 'amount' | 'asset'>): string {
  return amount === null || asset === null ? t('collections.anyAmount') : amountLine(amount, asset);
}

/** "USDT · Ethereum" */
export function methodName({ coin, chainName }: { coin: string; chainName: string }): string {
  return `${coin} · ${chainName}`;
}

export function isSome(amount: string | null): amount is string {
  return amount !== null && /[1-9]/.test(amount);
}

/** A day of reminders, counted from the due date. */
export function reminderLine(t: Translate, day: number): string {
  if (day === 0) return t('collections.reminder.on');
  return t(day < 0 ? 'collections.reminder.before' : 'collections.reminder.after', { days: Math.abs(day) });
}
