import type { Locale } from '@causeway/contract/locale.ts';
import { sayAmountText } from '@causeway/contract/money.ts';
import type { PublicPaymentRequest } from '@causeway/contract/payment-requests-public.ts';

/** What a payer is shown of a payment request, as the contract has it, and what the pages derive from it. */

export type PayMethod = PublicPaymentRequest['options'][number];
export type PayerPayment = PublicPaymentRequest['received'][number];

/** How a reader has opened the page. */
export interface PageChoice {
  locale: Locale;
  method: PayMethod | null;
  qr: 'payment' | 'address';
  /** Of a payment to a reusable request that the reader made; empty: none was named. */
  hash: string;
}

/** An amount in whole units, plain decimal. */
export interface Sum {
  amount: string;
  asset: string;
}

export type ShownState = PublicPaymentRequest['state'] | 'partial' | 'reusable';

/** What the page says of a request: its state, or that a part has arrived. A payment that is under way comes before what lacks. */
export function shownState(view: PublicPaymentRequest): ShownState {
  const { kind, state, paid, pending } = view;
  if (kind === 'reusable') return state === 'open' ? 'reusable' : state;
  if (state !== 'open') return state;
  if (isSome(pending)) return 'processing';
  return isSome(paid) ? 'partial' : 'open';
}

export function isSome(amount: string | null): amount is string {
  return amount !== null && /[1-9]/.test(amount);
}

/** As the address of the page names it: `USDT.ethereum`. */
export function methodId({ coin, chainId }: PayMethod): string {
  return `${coin}.${chainId}`;
}

/** An amount as it is typed into a wallet: some refuse more decimals than they know, zeros among them. */
export function shortOf(amount: string): string {
  return sayAmountText(amount).replaceAll(',', '');
}

/** Whether what lacks can be sent only where all that came was sent: one way to pay is left, on the chain of each payment. */
export function isSamePlace({ options, received }: PublicPaymentRequest): boolean {
  const [only, other] = options;
  return only !== undefined && other === undefined && received.every(({ chainId }) => chainId === only.chainId);
}

export function sumOf({ asset }: PublicPaymentRequest, amount: string | null): Sum | null {
  return asset === null || amount === null ? null : { amount, asset };
}

/** The payments that count: confirmed, and of a coin that is accepted. */
export function countedPayments({ received }: PublicPaymentRequest): readonly PayerPayment[] {
  return received.filter(({ state, isAccepted }) => state === 'credited' && isAccepted);
}

/** Whether there is a payment to give a receipt for: of a single request once it is settled, of a reusable one for the payment that was named. */
export function hasReceipt(view: PublicPaymentRequest): boolean {
  return (view.kind === 'reusable' || view.state === 'settled') && countedPayments(view).length > 0;
}

/** When the last payment that counts arrived. */
export function paidAt(view: PublicPaymentRequest): string | null {
  return countedPayments(view).reduce<string | null>((last, { at }) => (last === null || at > last ? at : last), null);
}
