import { startVenue, type VenueServer } from '@causeway/sandbox/venue/kraken.ts';
import { sql } from 'kysely';
import { type Hedging, hedgeOnce } from '../features/exchange/hedging/hedging.ts';
import { keepVenues } from '../features/exchange/hedging/venue-store.ts';
import type { KrakenConfig } from '../platform/config/liquidity.ts';
import { openTestCompany, type TestCompany } from './company.ts';
import { type TestDatabase, testDatabase } from './database.ts';
import { executedExchange } from './exchanges.ts';
import { hedgingOf } from './hedging-worker.ts';
import { keepTestMids } from './prices.ts';

/** The product's hedging beside the sandbox's venue. */
export interface HedgingWorld {
  db: TestDatabase;
  company: TestCompany;
  venue: VenueServer;
  config: KrakenConfig;
  /** One round; with another configuration, by a worker that was started just now. After a failure nothing is waited for, unless `times` says so. */
  hedge(more?: Partial<KrakenConfig>, times?: Hedging['times']): Promise<void>;
  /** Makes the platform longer in ETH by so many thousandths, or shorter. */
  trade(thousandths: number): Promise<void>;
  orders(): Promise<HedgeRow[]>;
  /** Of ETH, in minor units. */
  position(): Promise<string>;
  close(): Promise<void>;
}

export interface HedgeRow {
  id: string;
  side: string;
  state: string;
  quantity: string;
  filled: string;
  reason: string | null;
  venueOrderId: string | null;
}

const prices: Readonly<Record<string, string>> = { ETH: '2500', BTC: '90000', USDT: '1', USDC: '1' };
const pairs = [{ asset: 'ETH', counter: 'USD', pair: 'ETHUSD' }];
const unlimited = { most: 1_000_000, perSecond: 1_000_000 };

export async function hedgingWorld(): Promise<HedgingWorld> {
  const db = await testDatabase();
  const company = await openTestCompany(db);
  await refreshPrices(db);
  const venue = await startVenue({ priceOf: (asset) => prices[asset] ?? '1', tickMs: 0, rate: unlimited });
  const config = krakenConfig(venue);
  const hedging = hedgingOf(db.worker, config);
  await db.worker.withoutCompany((tx) => keepVenues(tx, [{ id: 'kraken', kind: 'kraken', pairs, lowBalances: {} }]));
  return {
    db,
    company,
    venue,
    config,
    hedge(more, times = {}) {
      const own = more ? hedgingOf(db.worker, { ...config, ...more }) : hedging;
      return hedgeOnce({ ...own, times: { firstPauseMs: 0, ...times } });
    },
    async trade(thousandths) {
      const units = BigInt(Math.abs(thousandths)) * 10n ** 15n;
      const usdt = BigInt(Math.abs(thousandths)) * 2_500_000n;
      await executedExchange(
        db,
        company,
        thousandths > 0
          ? { sell: 'ETH', buy: 'USDT', sold: units, bought: usdt }
          : { sell: 'USDT', buy: 'ETH', sold: usdt, bought: units, sellUsd: '1', buyUsd: '2500' },
      );
    },
    async orders() {
      const { rows } = await db.worker.withoutCompany((tx) =>
        sql<HedgeRow>`
          select id, side, state, quantity::text, filled::text, reason, venue_order_id as "venueOrderId"
          from hedge_order order by created_at, id`.execute(tx),
      );
      return rows;
    },
    async position() {
      const { rows } = await db.worker.withoutCompany((tx) =>
        sql<{ minor: string }>`select trunc(exchange_exposure('ETH'))::text as minor`.execute(tx),
      );
      return rows[0]?.minor ?? '';
    },
    async close() {
      await venue.stop();
      await db.close();
    },
  };
}

export async function refreshPrices(db: TestDatabase): Promise<void> {
  await keepTestMids(db, prices);
}

export function krakenConfig({ url, keys }: VenueServer): KrakenConfig {
  return {
    ...{
      venue: 'kraken',
      kind: 'kraken',
      url,
      ...keys,
      pairs,
      lowBalances: {},
      slippageBasisPoints: 50,
      timeoutMs: 5000,
    },
    ...{ cancelAfterMs: 3_600_000, maxOrderUsd: 250_000, maxUsdPerDay: 5_000_000, maxOrdersPerDay: 500 },
  };
}
