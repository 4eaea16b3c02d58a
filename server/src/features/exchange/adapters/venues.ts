import type { VenueConfig } from '../../../platform/config/liquidity.ts';
import type { Database } from '../../../platform/database/database.ts';
import type { ConfiguredVenue } from '../hedging/hedging.ts';
import { nextNonce } from '../hedging/venue-store.ts';
import { createAirwallex } from './airwallex.ts';
import { createKraken } from './kraken.ts';

/** The venues of the configuration, with what each of them hedges and against what. */
export function createVenues(database: Database, configs: readonly VenueConfig[]): ConfiguredVenue[] {
  return configs.map((config) =>
    config.kind === 'kraken'
      ? {
          config,
          venue: createKraken(config, () => nextNonce(database, config.venue)),
          pairs: config.pairs.map(({ asset, counter }) => ({ asset, counter })),
        }
      : {
          config,
          venue: createAirwallex(config),
          pairs: config.currencies.map((asset) => ({ asset, counter: config.counter })),
        },
  );
}
