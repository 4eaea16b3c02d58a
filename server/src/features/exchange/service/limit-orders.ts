import type { OutputInput } from '@causeway/contract/call.ts';
import type { listLimitOrders } from '@causeway/contract/exchange.ts';
import type { Locale } from '@causeway/contract/locale.ts';
import { formatAmount } from '@causeway/contract/money.ts';
import type { Seal } from '../../../platform/crypto/seal.ts';
import type { Database, Tx } from '../../../platform/database/database.ts';
import { type Loop, startLoop } from '../../../platform/jobs/loop.ts';
import type { Log } from '../../../platform/process/log.ts';
import type { SignedInContext } from '../../../platform/session.ts';
import { nameOfPlace } from '../../banks/index.ts';
import { findMids, rateOf } from '../../rates/index.ts';
import { type DueOrder, findDueOrders, findResting, type OrderSide } from '../store/limit-orders.ts';
import { executeResting } from './execute.ts';

/**
 * Limit orders (docs/adr/0085-…). The loop runs in the HTTP process, which seals exchanges; the lock of an order's transaction lets one process
 * exchange it, end it, or its initiator cancel it.
 */

const everyMs = 1000;
const pageSize = 100;

export interface LimitOrders {
  database: Database;
  seal: Seal;
  log: Log;
}

export function startLimitOrders(orders: LimitOrders): Loop {
  return startLoop({
    name: 'exchange.limitOrders',
    everyMs,
    log: orders.log,
    alone: { database: orders.database, lock: 'exchange.limitOrders' },
    step: (signal) => executeDueOrders(orders, signal),
  });
}

/** One round over all orders that may have reached their limit, or are over; one that fails keeps no others from their turn. */
export async function executeDueOrders({ database, seal, log }: LimitOrders, signal?: AbortSignal): Promise<void> {
  const dueAfter = (after: DueOrder | null) =>
    database.withoutCompany((tx) => findDueOrders(tx, after?.id ?? null, pageSize));
  for (let due = await dueAfter(null); due.length > 0; due = await dueAfter(due.at(-1) ?? null)) {
    for (const { companyId, id } of due) {
      if (signal?.aborted) return;
      await database
        .withCompany(companyId, (tx) => executeResting(tx, seal, id))
        .catch((error: unknown) =>
          log.warn({ err: error, companyId, exchange: id }, 'a limit order could not be carried out'),
        );
    }
  }
}

/** The orders that wait for their rate, with the middle rate of this moment. */
export async function listResting(tx: Tx, { locale }: SignedInContext): Promise<OutputInput<typeof listLimitOrders>> {
  const orders = await findResting(tx);
  const mids = await findMids(tx, [...new Set(orders.flatMap(({ sell, buy }) => [sell.asset, buy.asset]))]);
  const usd = new Map(mids.flatMap((mid) => (mid.problem === null ? [[mid.asset, mid.usd] as const] : [])));
  return {
    items: orders.map(
      ({ id, sell, buy, heldMinor, leastMinor, rate, until, initiatorId, initiatorName, createdAt }) => {
        const [sellUsd, buyUsd] = [usd.get(sell.asset), usd.get(buy.asset)];
        return {
          id,
          sell: shownSide(sell, locale),
          buy: shownSide(buy, locale),
          held: formatAmount(heldMinor, sell.decimals),
          least: formatAmount(leastMinor, buy.decimals),
          rate,
          mid: sellUsd === undefined || buyUsd === undefined ? null : rateOf(sellUsd, buyUsd),
          until: until.toISOString(),
          createdBy: { id: initiatorId, name: initiatorName },
          createdAt: createdAt.toISOString(),
        };
      },
    ),
  };
}

export function shownSide({ walletId, asset, decimals, place }: OrderSide, locale: Locale) {
  return { walletId, asset, decimals, placeName: nameOfPlace(place, locale) };
}
