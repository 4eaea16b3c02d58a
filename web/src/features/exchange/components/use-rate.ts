import type { ExchangeQuote } from '@causeway/contract/exchange.ts';
import { useEffect, useRef, useState } from 'react';
import type { ApiError } from '../../../lib/api-error.ts';
import { useSecondsTo } from '../../../ui/seconds-to.ts';
import { differenceOf, isWithin } from '../exchange-values.ts';

/** The price of what is typed. */
export interface Rate<Quote extends ExchangeQuote = ExchangeQuote> {
  /** What is shown: the last quote, also while the next one is asked for. */
  shown: Quote | undefined;
  /** The quote that holds now, for what is typed now; undefined while there is none. */
  firm: Quote | undefined;
  /** What is typed is whole, and its quote is on its way. */
  isAsking: boolean;
  secondsLeft: number;
  error: ApiError | null;
  /** What the last renewal changed; null: nothing, or it was not renewed. */
  change: ReturnType<typeof differenceOf>;
  /** The quote is worse than what the person has accepted. */
  isOut: boolean;
  again: () => void;
}

/** A quote as it was asked for. */
interface Asked<Quote> {
  data: Quote | undefined;
  dataUpdatedAt: number;
  isPlaceholderData: boolean;
  error: ApiError | null;
  refetch: () => unknown;
}

/** What is known of the price: `now` is what is typed, as a text, empty while it is not whole, `settled` that which was asked about. */
export function useRateOf<Quote extends ExchangeQuote>(
  quote: Asked<Quote>,
  { now, settled, bound }: { now: string; settled: string; bound: string },
): Rate<Quote> {
  const { data, dataUpdatedAt, isPlaceholderData, error } = quote;
  const endsAt = data === undefined || isPlaceholderData ? 0 : dataUpdatedAt + data.remainingMs;
  const secondsLeft = useSecondsTo(endsAt);
  const isOfNow = now !== '' && now === settled;
  const firm = isOfNow && !isPlaceholderData && error === null && secondsLeft > 0 ? data : undefined;
  return {
    shown: now === '' || error !== null ? undefined : data,
    firm,
    isAsking: now !== '' && firm === undefined && error === null,
    secondsLeft,
    error: isOfNow ? error : null,
    change: useChange(firm, settled),
    isOut: firm !== undefined && bound !== '' && !isWithin(firm, bound),
    again: () => void quote.refetch(),
  };
}

/** What the last renewal of a quote changed, for as long as the same is asked for. */
function useChange(firm: ExchangeQuote | undefined, asked: string): ReturnType<typeof differenceOf> {
  const last = useRef<{ asked: string; quote: ExchangeQuote } | null>(null);
  const [change, setChange] = useState<ReturnType<typeof differenceOf>>(null);
  useEffect(() => {
    if (firm === undefined) return;
    const before = last.current;
    if (before?.quote.id === firm.id) return;
    last.current = { asked, quote: firm };
    setChange(before !== null && before.asked === asked ? differenceOf(before.quote, firm) : null);
  }, [firm, asked]);
  return change;
}
