import * as z from 'zod/mini';
import type { TickerConfig } from '../../../platform/config/price-sources.ts';
import { dollarsOf } from '../crosses.ts';
import { ask, readJson, SourceFailure } from './asking.ts';
import type { RateSource } from './source.ts';

const maxAnswerBytes = 262_144;

/** Of each pair: `a` and `b` are [price, whole lot volume, lot volume] of the best ask and bid. */
const ticker = z.looseObject({ a: z.array(z.unknown()), b: z.array(z.unknown()) });
const answer = z.object({ error: z.array(z.string()), result: z.optional(z.record(z.string(), z.unknown())) });

/**
 * Reads Kraken's public ticker (`GET /0/public/Ticker?pair=…`). It has no time of its own: that of the answer counts. Pairs go by the names
 * under which Kraken answers (`XXBTZUSD`), and one that it does not know fails the whole request.
 */
export function createKraken({ url: origin, pairs, pollMs, maxAgeMs }: TickerConfig): RateSource {
  const url = new URL('/0/public/Ticker', origin);
  url.searchParams.set('pair', Object.keys(pairs).join(','));
  return {
    name: 'kraken',
    role: 'price',
    values: false,
    pollMs,
    maxAgeMs,
    async ask() {
      const { text, at } = await ask(url, { maxBytes: maxAnswerBytes, headers: { accept: 'application/json' } });
      const read = answer.safeParse(readJson(text));
      if (!read.success) throw new SourceFailure('unreadable', 'Kraken answered in another form');
      const { error, result = {} } = read.data;
      if (error.length > 0) throw new SourceFailure('refused', `Kraken answered with ${error.length} errors`);
      const quotes = Object.entries(pairs).flatMap(([name, pair]) => {
        if (result[name] === undefined) return [];
        const said = ticker.safeParse(result[name]);
        return [{ ...pair, bid: said.data?.b[0], ask: said.data?.a[0], at }];
      });
      return dollarsOf(quotes);
    },
  };
}
