import * as z from 'zod/mini';
import type { TickerConfig } from '../../../platform/config/price-sources.ts';
import { dollarsOf } from '../crosses.ts';
import { ask, readJson, SourceFailure } from './asking.ts';
import type { RateSource } from './source.ts';

/** All pairs of the exchange, 300 bytes each. */
const maxAnswerBytes = 1_048_576;

const answer = z.array(z.looseObject({ pair: z.string() }));

/** Reads Bitstamp's public ticker of all pairs (`GET /api/v2/ticker/`), each with its time in seconds. */
export function createBitstamp({ url: origin, pairs, pollMs, maxAgeMs }: TickerConfig): RateSource {
  const url = new URL('/api/v2/ticker/', origin);
  return {
    name: 'bitstamp',
    role: 'price',
    values: false,
    pollMs,
    maxAgeMs,
    async ask() {
      const { text } = await ask(url, { maxBytes: maxAnswerBytes, headers: { accept: 'application/json' } });
      const read = answer.safeParse(readJson(text));
      if (!read.success) throw new SourceFailure('unreadable', 'Bitstamp answered in another form');
      const quotes = read.data.flatMap(({ pair: name, bid, ask: asked, timestamp }) => {
        const pair = pairs[name];
        // A price without a time is none.
        return pair ? [{ ...pair, bid, ask: asked, at: new Date(secondsOf(timestamp) * 1000) }] : [];
      });
      return dollarsOf(quotes);
    },
  };
}

function secondsOf(timestamp: unknown): number {
  const isTime = (typeof timestamp === 'string' || typeof timestamp === 'number') && /^\d{1,11}$/.test(`${timestamp}`);
  return isTime ? Number(timestamp) : 0;
}
