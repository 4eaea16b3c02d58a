import { type Sweep, sweepBatch } from '../../platform/jobs/sweeping.ts';
import { removeExpiredQuotes } from './store/quotes.ts';

/** Quotes that were never used and expired more than a day ago. */
export const expiredQuotesSweep: Sweep = {
  name: 'exchange.quote',
  run: (database) => database.withoutCompany((tx) => removeExpiredQuotes(tx, sweepBatch)),
};
