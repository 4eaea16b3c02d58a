import { Decimal } from 'decimal.js';
import type { VenueConfig } from '../../../platform/config/liquidity.ts';
import type { Database, PlatformTx } from '../../../platform/database/database.ts';
import { findRestoreMode } from '../../../platform/database/restore-mode.ts';
import { newId } from '../../../platform/ids.ts';
import { type Loop, startLoop, stopAll } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import { findMids } from '../../rates/index.ts';
import { hedgeOf, pauseAfter } from './domain.ts';
import { type FollowingTimes, follow, usualDeadlineMs } from './following.ts';
import type { HedgedPosition } from './store.ts';
import * as store from './store.ts';
import { type Venue, VenueError } from './venue.ts';
import { keepVenues, markAnswered, markFailing } from './venue-store.ts';

/**
 * Hedges the platform's position (docs/adr/0083-…): one round follows each order under way, then decides about positions beyond their level. Each asset has one
 * order at a time, and each venue a loop of its own in one worker.
 */

export type HedgingConfig = Pick<
  VenueConfig,
  'slippageBasisPoints' | 'cancelAfterMs' | 'maxOrderUsd' | 'maxUsdPerDay' | 'maxOrdersPerDay'
>;

export interface Hedging {
  database: Database;
  venue: Venue;
  config: HedgingConfig;
  log: Log;
  times?: Partial<FollowingTimes & { firstPauseMs: number }>;
}

export interface ConfiguredVenue {
  config: VenueConfig;
  venue: Venue;
  pairs: readonly { asset: string; counter: string }[];
}

const everyMs = 2000;
const balancesEveryMs = 60_000;
/** After a first order that was not taken. */
const usualPauseMs = 30_000;

/** Hedges at each venue until stopped; of several workers, one a venue. */
export async function startHedging(
  database: Database,
  venues: readonly ConfiguredVenue[],
  log: Log,
): Promise<Pick<Loop, 'stop'>> {
  await database.withoutCompany((tx) =>
    keepVenues(
      tx,
      venues.map(({ venue: { id }, config: { kind, lowBalances }, pairs }) => ({ id, kind, pairs, lowBalances })),
    ),
  );
  const loops = venues.map(({ venue, config }) => {
    const hedging = { database, venue, config, log: log.child({ venue: venue.id }) };
    let balancesAt = 0;
    return startLoop({
      name: `exchange.hedge:${venue.id}`,
      everyMs,
      retry: { firstMs: everyMs, mostMs: 60_000 },
      alone: { database, lock: `exchange.hedge/${venue.id}` },
      log: hedging.log,
      async step() {
        await hedgeOnce(hedging);
        if (Date.now() - balancesAt < balancesEveryMs) return;
        await askBalances(hedging);
        balancesAt = Date.now();
      },
    });
  });
  return { stop: () => stopAll(loops) };
}

/**
 * One round. Orders are followed and positions decided each on its own: the first error of the venue is thrown in the end, so that the loop pauses longer; an error of ours is of
 * one order, is logged and stops no other. The queue has orders that have not been followed for minutes (`hedgeUnknown`).
 */
export async function hedgeOnce(hedging: Hedging): Promise<void> {
  const { database, venue, config, log } = hedging;
  const { settleMs } = venue;
  const times = { deadlineMs: usualDeadlineMs, settleMs, cancelAfterMs: config.cancelAfterMs, ...hedging.times };
  let failed: VenueError | null = null;
  const each = async (of: { order: string } | { asset: string }, work: () => Promise<void>) => {
    await work().catch((error: unknown) => {
      if (error instanceof VenueError) failed ??= error;
      else log.error({ err: error, ...of }, 'a hedge could not be taken further');
    });
  };
  const followAll = async () => {
    for (const order of await database.withoutCompany((tx) => store.findLive(tx, venue.id)))
      await each({ order: order.id }, () => follow({ database, venue, log, times }, order));
  };
  await followAll();
  // What was ordered since a backup is not in a restored database: nothing new is decided from it.
  if ((await database.withoutCompany(findRestoreMode)) !== null) return;
  const positions = await database.withoutCompany((tx) => store.findToHedge(tx, venue.assets));
  let isStored = false;
  for (const position of positions) {
    if (isPausing(position, hedging.times?.firstPauseMs ?? usualPauseMs)) continue;
    await each({ asset: position.asset }, async () => {
      isStored = (await decide(hedging, position)) || isStored;
    });
  }
  if (isStored) await followAll();
  if (failed !== null) {
    const { message } = failed as VenueError;
    await database.withoutCompany((tx) => markFailing(tx, venue.id, message));
    throw failed;
  }
}

function isPausing({ failures, sinceFailureMs }: HedgedPosition, firstMs: number): boolean {
  return sinceFailureMs !== null && sinceFailureMs < pauseAfter(failures, firstMs);
}

/** Stores the order that a position wants; false: none. The venue is asked for its market with no transaction open. */
async function decide({ database, venue, config, log }: Hedging, { asset }: HedgedPosition): Promise<boolean> {
  const market = await venue.marketOf(asset);
  if (market === null) return false;
  return database.withoutCompany(async (tx) => {
    // Read again with what else decides: fills of an order that ended meanwhile, the day's sum, prices.
    const [position] = await store.findToHedge(tx, [asset]);
    const today = await store.findToday(tx, venue.id);
    const mids = await findUsable(tx, [asset, market.counter]);
    const usd = mids.get(asset);
    const counterUsd = mids.get(market.counter);
    if (!position || usd === undefined || counterUsd === undefined || today.orders >= config.maxOrdersPerDay)
      return false;
    const left = new Decimal(config.maxUsdPerDay).minus(today.usd);
    if (!left.isPositive()) return false;
    const hedge = hedgeOf(
      position,
      market,
      { usd, counterUsd },
      {
        slippageBasisPoints: config.slippageBasisPoints,
        mostUsd: Decimal.min(left, config.maxOrderUsd).toFixed(),
      },
    );
    if (hedge === null) return false;
    const order = {
      ...hedge,
      id: newId(),
      venue: venue.id,
      asset,
      counter: market.counter,
      pair: market.pair,
      assetUsd: usd,
      counterUsd,
      position: position.minor,
    };
    const isNew = await store.insertOrder(tx, order);
    if (isNew) log.info({ order }, 'a hedge is ordered');
    return isNew;
  });
}

/** The middle prices that may be quoted, in US dollars: a hedge is ordered by no other. */
async function findUsable(tx: PlatformTx, assets: readonly string[]): Promise<Map<string, string>> {
  const mids = await findMids(tx, assets);
  return new Map(mids.flatMap((mid) => (mid.problem === null ? [[mid.asset, mid.usd]] : [])));
}

/** Whether the venue answers, and what is there to trade with. */
async function askBalances({ database, venue }: Hedging): Promise<void> {
  try {
    const balances = await venue.balances();
    await database.withoutCompany((tx) => markAnswered(tx, venue.id, balances));
  } catch (error) {
    if (error instanceof VenueError) await database.withoutCompany((tx) => markFailing(tx, venue.id, error.message));
    throw error;
  }
}
