import type { ExchangeQuote } from '@causeway/contract/exchange.ts';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { newId } from '../../../lib/new-id.ts';
import { useSettled } from '../../../lib/settled.ts';
import { type Fields, useFields } from '../../../ui/form-state.ts';
import { isBlocked, plain } from '../../transfers/index.ts';
import { useExchangeOptions, useQuote } from '../api.ts';
import {
  boundAt,
  boundOf,
  checkExchange,
  type ExchangeValues,
  type ExchangeWallet,
  emptyExchange,
  type Intent,
  intentOf,
  type ReadyExchange,
  type Surroundings,
} from '../exchange-values.ts';
import { type Rate, useRateOf } from './use-rate.ts';

/** As long as a hand rests between two keys. */
const typing_ms = 300;

// A bound belongs to a quote, and no quote lives until the page is loaded again.
const neverKept = ['code', 'bound'] as const;

export interface ExchangeForm {
  fields: Fields<ExchangeValues, ReadyExchange>;
  options: ReturnType<typeof useExchangeOptions>;
  wallets: readonly ExchangeWallet[];
  around: Surroundings;
  rate: Rate;
  /** It would be refused. */
  blocked: boolean;
  /** Accepts the quote on screen: the bound follows from it. */
  takeRate: () => void;
  swap: () => void;
}

/** The form with what its values refer to: the wallets, and the quote of what is typed. The draft survives a reload. */
export function useExchangeForm(): ExchangeForm {
  const [firstId] = useState(() => newId());
  const options = useExchangeOptions();
  const wallets = options.data?.wallets ?? [];
  // The check needs what is found out from the values that it checks.
  const known = useRef<Surroundings>({ sold: undefined, bought: undefined });
  const fields = useFields<ExchangeValues, ReadyExchange>({
    check: (values) => checkExchange(values, known.current),
    defaults: emptyExchange(firstId),
    keep: 'exchange',
    keepExcept: neverKept,
  });
  const { values } = fields;
  const around = {
    sold: wallets.find(({ walletId }) => walletId === values.sellWalletId),
    bought: wallets.find(({ walletId }) => walletId === values.buyWalletId),
  };
  known.current = around;
  useChosenByLink(fields, options.data !== undefined);
  const rate = useRate(values, around);
  useBound(fields, rate.firm);

  const { firm } = rate;
  return {
    fields,
    options,
    wallets,
    around,
    rate,
    blocked: firm !== undefined && (firm.problem !== null || isBlocked(firm.review)),
    takeRate: () => firm && fields.set('bound', boundOf(firm, Number(values.tolerance))),
    swap: () => {
      const { sellWalletId, buyWalletId, fixed, timing } = values;
      fields.set('sellWalletId', buyWalletId);
      fields.set('buyWalletId', sellWalletId);
      fields.set('limitRate', '');
      if (timing === 'now') fields.set('fixed', fixed === 'sell' ? 'buy' : 'sell');
    },
  };
}

function useRate(values: ExchangeValues, { sold, bought }: Surroundings): Rate {
  const intent = intentOf(values, sold, bought);
  const now = intent === null ? '' : JSON.stringify(intent);
  const settled = useSettled(now, typing_ms);
  const asked: Intent | null = settled === '' ? null : JSON.parse(settled);
  const rate = useRateOf(useQuote(asked), { now, settled, bound: values.bound });
  // A limit order waits for a better rate than that on screen.
  return values.timing === 'limit' ? { ...rate, isOut: false } : rate;
}

/** The bound follows from the first quote of what is typed, and stays while quotes are renewed. */
function useBound(fields: Fields<ExchangeValues, ReadyExchange>, firm: ExchangeQuote | undefined): void {
  const { sellWalletId, buyWalletId, fixed, amount, timing, limitRate, tolerance, bound } = fields.values;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another exchange is the only reason
  useEffect(() => {
    if (bound !== '') fields.set('bound', '');
  }, [sellWalletId, buyWalletId, fixed, amount, timing, limitRate, tolerance]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the first quote is the only reason, or another limit
  useEffect(() => {
    if (bound !== '' || firm === undefined) return;
    fields.set('bound', timing === 'limit' ? (boundAt(firm, limitRate) ?? '') : boundOf(firm, Number(tolerance)));
  }, [bound, firm, timing, limitRate]);
}

/** Links from wallets choose beforehand; what they chose then belongs to the form, not to the address. */
function useChosenByLink(fields: Fields<ExchangeValues, ReadyExchange>, ready: boolean): void {
  const search = useSearch({ strict: false }) as { sell?: string; buy?: string; fixed?: string; amount?: string };
  const navigate = useNavigate();
  const named = search.sell !== undefined || search.buy !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, as soon as the wallets are known
  useEffect(() => {
    if (!ready || !named) return;
    const { sellWalletId, buyWalletId } = fields.values;
    if (search.sell !== undefined) {
      fields.set('sellWalletId', search.sell);
      if (buyWalletId === search.sell) fields.set('buyWalletId', '');
    }
    if (search.buy !== undefined) {
      fields.set('buyWalletId', search.buy);
      if (sellWalletId === search.buy) fields.set('sellWalletId', '');
    }
    fields.set('timing', 'now');
    fields.set('fixed', search.fixed === 'buy' ? 'buy' : 'sell');
    fields.set('amount', search.amount === undefined ? '' : plain(String(search.amount)));
    void navigate({ to: '.', search: {} as never, replace: true, resetScroll: false });
  }, [ready, named]);
}
