import type { Database } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { BitcoinGateway, FeeEstimates } from '../../chains/index.ts';
import { type FeeRates, findFeeRates, keepFeeRates, publishFeeRates, type RateBasis } from './store/fees.ts';

/** What a virtual byte costs, asked of the nodes and published in steps (docs/adr/0089). */

/** Satoshis per virtual byte, of the configuration: nothing is published below the floor or above the ceiling. */
export interface FeeBounds {
  floor: number;
  ceiling: number;
  /** While the nodes know too little to estimate. */
  fallback: number;
}

const milli = (rate: number): number => Math.ceil(rate * 1000);

/** Rates in thousandths, each level at least the one below it. */
export function ratesOf(estimates: FeeEstimates, { floor, ceiling, fallback }: FeeBounds): FeeRates {
  const least = Math.max(floor, estimates.minimum);
  const bounded = (rate: number | null) => Math.min(Math.max(rate ?? fallback, least), Math.max(ceiling, least));
  const economy = bounded(estimates.economy ?? estimates.normal);
  const normal = Math.max(economy, bounded(estimates.normal ?? estimates.economy));
  const urgent = Math.max(normal, bounded(estimates.urgent ?? estimates.normal));
  return { economy: milli(economy), normal: milli(normal), urgent: milli(urgent), minimum: milli(least) };
}

/** A step: a fifth up or down. */
const step = 0.2;
const levels = ['economy', 'normal', 'urgent', 'minimum'] as const;

/**
 * Whether what is published no longer holds. It moves by steps alone, so that a fee that a person saw is still the fee when they confirm it.
 */
export function hasMoved(published: FeeRates, now: FeeRates): boolean {
  return levels.some((level) => Math.abs(now[level] - published[level]) > step * published[level]);
}

export async function askFeeRates(database: Database, gateway: BitcoinGateway, bounds: FeeBounds): Promise<void> {
  const { chainId } = gateway;
  const estimates = await gateway.feeEstimates();
  const now = ratesOf(estimates, bounds);
  const isKnown = [estimates.economy, estimates.normal, estimates.urgent].some((rate) => rate !== null);
  const basis: RateBasis = {
    source: isKnown ? 'nodes' : 'fallback',
    floor: milli(bounds.floor),
    ceiling: milli(bounds.ceiling),
  };
  await database.withoutCompany(async (tx) => {
    const published = await findFeeRates(tx, chainId);
    if (published === null || hasMoved(published, now)) await publishFeeRates(tx, chainId, now, basis);
    else await keepFeeRates(tx, chainId, basis);
  });
}

/** Asks until stopped; of several workers, one. */
export function startFeeRates(
  { database, log }: { database: Database; log: Log },
  gateway: BitcoinGateway,
  { bounds, everyMs }: { bounds: FeeBounds; everyMs: number },
): Loop {
  return startLoop({
    name: `rails.fee-rates:${gateway.chainId}`,
    everyMs,
    retry: { firstMs: everyMs, mostMs: everyMs },
    alone: { database, lock: `fee-rates/${gateway.chainId}` },
    log: log.child({ chain: gateway.chainId }),
    step: () => askFeeRates(database, gateway, bounds),
  });
}
