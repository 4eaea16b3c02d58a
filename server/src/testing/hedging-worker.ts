import { createKraken } from '../features/exchange/adapters/kraken.ts';
import type { Hedging } from '../features/exchange/hedging/hedging.ts';
import { nextNonce } from '../features/exchange/hedging/venue-store.ts';
import type { KrakenConfig } from '../platform/config/liquidity.ts';
import type { Database } from '../platform/database/database.ts';
import { createLog } from '../platform/process/log.ts';

/** As a worker has it that was started just now. */
export function hedgingOf(database: Database, config: KrakenConfig): Hedging {
  const venue = createKraken(config, () => nextNonce(database, config.venue));
  return { database, venue, config, log: createLog('test', 'silent') };
}
