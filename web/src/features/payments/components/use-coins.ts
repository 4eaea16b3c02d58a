import type { Output } from '@causeway/contract/call.ts';
import type { CryptoPayoutQuote, getCryptoPaymentOptions } from '@causeway/contract/payments.ts';
import type { PayoutForm } from '@causeway/contract/payments-rules.ts';
import { useEffect, useMemo } from 'react';
import { useSettled } from '../../../lib/settled.ts';
import type { Fields } from '../../../ui/form-state.ts';
import { boundOf, type Rate, useRateOf } from '../../exchange/index.ts';
import { plain } from '../../transfers/index.ts';
import { type CoinQuoteBody, useCoinOptions, useCoinQuote } from '../api.ts';
import { type PaymentValues, type ReadyPayment, termsOf } from '../payment-values.ts';

/** As long as a hand rests between two keys. */
const typing_ms = 300;

type Options = Output<typeof getCryptoPaymentOptions>;
export type CoinRate = Rate<CryptoPayoutQuote>;

export interface Coins {
  options: Options['coins'];
  isKnown: boolean;
  /** The coin wallet that is chosen to pay. */
  chosen: Options['coins'][number] | undefined;
  /** Through which wallet at a bank; undefined: the company has none of the currency. */
  bank: Options['banks'][number] | undefined;
  rate: CoinRate;
  /** Accepts the quote on screen: the most that leaves follows from it. */
  takeRate: () => void;
}

/** The coin wallets that can pay the payee, and the quote of what is typed where one of them is chosen. */
export function useCoins(
  form: PayoutForm,
  fields: Fields<PaymentValues, ReadyPayment>,
  payeeId: string | undefined,
): Coins {
  const { values } = fields;
  const found = useCoinOptions(form === 'payment' ? (payeeId ?? null) : null);
  const options = found.data?.coins ?? [];
  const banks = found.data?.banks ?? [];
  const chosen = options.find(({ walletId }) => walletId === values.walletId);
  const bank = banks.find(({ cannotPay }) => cannotPay === null) ?? banks[0];
  const amount = plain(values.amount);
  const isWhole = /^\d+(\.\d+)?$/.test(amount) && /[1-9]/.test(amount);
  const body =
    chosen && bank && payeeId !== undefined && isWhole
      ? {
          walletId: chosen.walletId,
          bankWalletId: bank.walletId,
          payeeId,
          amount,
          ...termsOf(values),
          ...(values.charges !== '' && { charges: values.charges }),
        }
      : null;
  const now = body === null ? '' : JSON.stringify(body);
  const settled = useSettled(now, typing_ms);
  const asked = useMemo<CoinQuoteBody | null>(() => (settled === '' ? null : JSON.parse(settled)), [settled]);
  const rate = useRateOf(useCoinQuote(asked), { now, settled, bound: values.bound });
  useBound(fields, rate.firm, now);
  return {
    options,
    isKnown: found.data !== undefined || found.error !== null,
    chosen,
    bank,
    rate,
    takeRate: () => rate.firm && fields.set('bound', boundOf(rate.firm, Number(values.tolerance))),
  };
}

/** The bound follows from the first quote of what is typed, and stays while quotes are renewed. */
function useBound(
  fields: Fields<PaymentValues, ReadyPayment>,
  firm: CryptoPayoutQuote | undefined,
  asked: string,
): void {
  const { walletId, payeeId, amount, tolerance, bound } = fields.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another payment is the only reason
  useEffect(() => {
    if (bound !== '') fields.set('bound', '');
  }, [walletId, payeeId, amount, tolerance]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first quote is the only reason
  useEffect(() => {
    if (bound === '' && firm !== undefined) fields.set('bound', boundOf(firm, Number(tolerance)));
  }, [bound, firm, asked]);
}
